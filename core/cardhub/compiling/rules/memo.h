/* Answers of functions that Python remembers as well (`cache`): they depend on numbers only. They
   live longer than other lists, so nothing may change them: they have no room. */

#define MOST_KEYS 4
#define ANSWERS 4096
#define ANSWER_SLOTS (1 << 18)

typedef struct {
    int64_t function; /* its number from 1, 0 for none */
    int64_t keys[MOST_KEYS];
    int64_t value;
} Answer;

static Answer answers[ANSWERS];
static int64_t answer_slots[ANSWER_SLOTS];
static int64_t answer_slots_used;
static int is_memo_full;

/* Forget all answers if there is no place for more; no rule may be under way. */
static inline void renew_memo(void) {
    if (!is_memo_full)
        return;
    memset(answers, 0, sizeof answers);
    answer_slots_used = is_memo_full = 0;
}

static inline Answer *place_of_answer(int64_t function, const int64_t *keys) {
    uint64_t hash = (uint64_t)function;
    for (int i = 0; i < MOST_KEYS; i++)
        hash = (hash ^ (uint64_t)keys[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return &answers[hash >> 52];
}

/* The answer of a function for these keys, or NULL. */
static inline const Answer *known_answer(int64_t function, const int64_t *keys) {
    const Answer *answer = place_of_answer(function, keys);
    int is_it = answer->function == function && !memcmp(answer->keys, keys, sizeof answer->keys);
    return is_it ? answer : NULL;
}

/* A copy of a list that lives on, with lists in it down to a depth; NULL without a place for it. */
static List *lasting_copy(const List *list, int depth) {
    if (list->count >= ANSWER_SLOTS - answer_slots_used)
        return NULL;
    List *copy = (List *)(answer_slots + answer_slots_used);
    answer_slots_used += list->count + 1;
    copy->count = list->count;
    copy->room = 0;
    for (int32_t i = 0; i < list->count; i++) {
        List *inner = depth > 1 ? lasting_copy(LIST_AT(list->items[i]), depth - 1) : NULL;
        if (depth > 1 && !inner)
            return NULL;
        copy->items[i] = depth > 1 ? ADDRESS(inner) : list->items[i];
    }
    return copy;
}

/* Remember an answer: a number, or a list with lists in it down to a depth. */
static int64_t remembered(int64_t function, const int64_t *keys, int64_t value, int depth) {
    List *copy = depth ? lasting_copy(LIST_AT(value), depth) : NULL;
    if (depth && !copy) {
        is_memo_full = 1;
        return value;
    }
    Answer *answer = place_of_answer(function, keys);
    answer->function = function;
    memcpy(answer->keys, keys, sizeof answer->keys);
    answer->value = depth ? ADDRESS(copy) : value;
    return answer->value;
}
