/* Where the fields of a state are, for the functions that treat all of them alike. */

enum field_kind { SCALAR, LINE, ROWS };

typedef struct {
    const char *name;
    enum field_kind kind;
    int64_t offset, room, stride;
    int64_t rows; /* 0: one for each seat */
    int is_truth, is_tuple;
    int is_read; /* whether the rules read it, so that a playout needs it */
} FieldInfo;

typedef struct {
    const char *name;
} OptionInfo;

static inline int64_t *scalar_at(State *state, const FieldInfo *field) {
    return (int64_t *)((char *)state + field->offset);
}

static inline List *row_at(State *state, const FieldInfo *field, int64_t row) {
    return (List *)((char *)state + field->offset + row * field->stride);
}

static inline int64_t rows_of(const State *state, const FieldInfo *field) {
    return field->rows ? field->rows : state->seats;
}
