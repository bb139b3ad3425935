/* Arrays for learners: what a viewer sees of a state, as `cardhub.learning.arrays` encodes it.

   The plan of a layout says where everything goes. Every face is read behind the test whether the
   viewer has seen it. */

#define NO_SLOT (-1)
/* The viewer that sees the true state, as in cardhub.model.hidden.observation. */
#define EVERYTHING (-1)
/* Instead of a field: the scores. */
#define SCORES (-1)

/* The slots of a field of numbers, and its first one-hot slot. */
typedef struct {
    int64_t field, start, room, is_by_seat, is_counted, ones, low, values;
} NumberSlots;

typedef struct {
    double scale, usual;
} NumberScale;

typedef struct {
    int64_t field, start, room, is_by_seat, width;
} BitSlots;

typedef struct {
    int64_t field, row;
} PilePlace;

/* The numbers of a group's actions that name cards by place; the piles are in the plan. */
typedef struct {
    int64_t depth, elsewhere;
} PlaceGroup;

/* A table of numbers of the plan: the bytes of a Python object, and how many numbers. */
typedef struct {
    const void *items;
    int64_t count;
} PlanTable;

/* `single` has the numbers of enum plan_number. */
typedef struct {
    PlanTable single, acting, numbers, scales, bits, kinds, copies, piles, pile_numbers, zone_slots,
        top_lines, ordered, fixed, starts, token_of, places, place_groups, place_firsts, pack, decks;
} Plan;

enum plan_number {
    SLOTS, LEARNER_ACTIONS, VIEWER_START, SEAT_START, PHASE_START, FIRST_KIND,
    KINDS, FACE_KINDS, TOPS_START, ZONES_START, DEPTHS_START, TOKENS_START, TOKEN_WIDTH, SEEN_COLUMN,
    IS_SAME, SINGLE_NUMBERS,
};

typedef struct {
    const char *name;
    size_t offset;
    size_t item;
} PlanInfo;

#define TABLE_OF(name, type) {#name, offsetof(Plan, name), sizeof(type)}
static const PlanInfo PLAN_INFO[] = {
    TABLE_OF(single, int64_t), TABLE_OF(acting, int64_t), TABLE_OF(numbers, NumberSlots),
    TABLE_OF(scales, NumberScale), TABLE_OF(bits, BitSlots), TABLE_OF(kinds, int64_t),
    TABLE_OF(copies, int64_t), TABLE_OF(piles, PilePlace), TABLE_OF(pile_numbers, int64_t),
    TABLE_OF(zone_slots, int64_t), TABLE_OF(top_lines, int64_t), TABLE_OF(ordered, int64_t),
    TABLE_OF(fixed, int64_t), TABLE_OF(starts, int64_t), TABLE_OF(token_of, int64_t),
    TABLE_OF(places, int64_t), TABLE_OF(place_groups, PlaceGroup),
    TABLE_OF(place_firsts, int64_t), TABLE_OF(pack, int64_t), TABLE_OF(decks, int64_t),
};
#define PLAN_TABLES ((int)(sizeof(PLAN_INFO) / sizeof(PLAN_INFO[0])))

#define PLAN(plan, type, table) ((const type *)(plan)->table.items)
#define NUMBER(plan, number) (PLAN(plan, int64_t, single)[number])

/* A state, the viewer of a row, and the kinds of all cards for the viewer. */
typedef struct {
    const Plan *plan;
    State *state;
    int64_t viewer;
    const List *scores;
    float *slots;
    int64_t kinds[TOKENS];
} View;

static void find_kinds(View *view) {
    const State *state = view->state;
    const int64_t *kinds = PLAN(view->plan, int64_t, kinds);
    int64_t bit = INT64_C(1) << (view->viewer < 0 ? 0 : view->viewer);
    for (int32_t token = 0; token < state->face.count; token++) {
        int is_known = view->viewer == EVERYTHING || state->seen.items[token] & bit;
        const int64_t *of_back = kinds + state->back.items[token] * (FACES + 1);
        view->kinds[token] = of_back[is_known ? state->face.items[token] : FACES];
    }
}

static void encode_turn(View *view) {
    const Plan *plan = view->plan;
    const State *state = view->state;
    int64_t seats = state->seats, viewer = view->viewer;
    /* The last two seats to act, and the last viewer, are negative. */
    int64_t acting = number_in(state->seat < 0 ? seats + 2 + state->seat : state->seat, seats + 2);
    if (viewer >= 0)
        view->slots[NUMBER(plan, VIEWER_START) + viewer] = 1;
    const int64_t *acting_of = PLAN(plan, int64_t, acting) + (viewer + 1) * (seats + 2);
    view->slots[NUMBER(plan, SEAT_START) + acting_of[acting]] = 1;
    if (NUMBER(plan, PHASE_START) >= 0)
        view->slots[NUMBER(plan, PHASE_START) + state->phase] = 1;
}

/* By how many places a field with a value for each seat is turned for the viewer. */
static inline int64_t turn_of(const View *view, int64_t is_by_seat) {
    return is_by_seat && view->viewer > 0 && view->viewer < view->state->seats ? view->viewer : 0;
}

static inline float scaled(int64_t value, const NumberScale *scale) {
    double number = (double)value;
    if (-scale->usual <= number && number <= scale->usual)
        return (float)(number / scale->scale);
    return (float)((value > 0 ? 1 : -1) - scale->usual / (2 * number));
}

static void encode_number(View *view, const NumberSlots *number, const NumberScale *scale) {
    int64_t single, count = 1;
    const int64_t *values = &single;
    if (number->field == SCORES) {
        values = view->scores->items;
        count = view->scores->count;
    } else if (FIELD_INFO[number->field].kind == SCALAR) {
        single = *scalar_at(view->state, &FIELD_INFO[number->field]);
    } else {
        const List *list = row_at(view->state, &FIELD_INFO[number->field], 0);
        values = list->items;
        count = list->count;
    }
    if (count > number->room || (!number->is_counted && count < number->room))
        give_back(BEYOND_PYTHON);
    float *slots = view->slots + number->start;
    if (number->is_counted)
        slots[number->room] = (float)((double)count / (double)number->room);
    int64_t turn = turn_of(view, number->is_by_seat);
    for (int64_t place = 0; place < number->room; place++) {
        int64_t column = place + turn;
        column = column < number->room ? column : column - number->room;
        if (column >= count)
            continue;
        int64_t value = values[column];
        if (value)
            slots[place] = scaled(value, scale);
        if (number->ones < 0 || value < number->low || value - number->low >= number->values)
            continue;
        view->slots[number->ones + place * number->values + value - number->low] = 1;
    }
}

static void encode_bits(View *view, const BitSlots *bits) {
    const FieldInfo *field = &FIELD_INFO[bits->field];
    int64_t count = 1;
    const int64_t *values = scalar_at(view->state, field);
    if (field->kind != SCALAR) {
        const List *list = row_at(view->state, field, 0);
        values = list->items;
        count = list->count;
    }
    if (count > bits->room)
        give_back(BEYOND_PYTHON);
    int64_t turn = turn_of(view, bits->is_by_seat);
    for (int64_t column = 0; column < count; column++) {
        if (!values[column])
            continue;
        int64_t place = column - turn;
        place = place < 0 ? place + bits->room : place;
        float *slots = view->slots + bits->start + place * bits->width;
        for (int64_t bit = 0; bit < bits->width; bit++)
            if (values[column] >> (bit > 63 ? 63 : bit) & 1)
                slots[bit] = 1;
    }
}

static inline const List *pile_at(const View *view, int64_t pile) {
    const PilePlace *place = PLAN(view->plan, PilePlace, piles) + pile;
    return row_at(view->state, &FIELD_INFO[place->field], place->row);
}

/* The number of a pile for the viewer. */
static inline int64_t pile_number(const View *view, int64_t pile) {
    const Plan *plan = view->plan;
    return PLAN(plan, int64_t, pile_numbers)[(view->viewer + 1) * plan->piles.count + pile];
}

/* For each pile the shares of each face and back. */
static void encode_zone(View *view, const List *pile, int64_t number) {
    static int64_t counts[2 * FACES]; /* there are no more backs than faces */
    const Plan *plan = view->plan;
    const int64_t *copies = PLAN(plan, int64_t, copies);
    const int64_t first = NUMBER(plan, FIRST_KIND), kinds = NUMBER(plan, KINDS);
    const int64_t *slot_of = PLAN(plan, int64_t, zone_slots) + number * kinds;
    float *slots = view->slots + NUMBER(plan, ZONES_START);
    for (int32_t i = 0; i < pile->count; i++)
        counts[view->kinds[pile->items[i]] - first]++;
    for (int32_t i = 0; i < pile->count; i++) {
        int64_t kind = view->kinds[pile->items[i]] - first;
        if (counts[kind])
            slots[slot_of[kind]] = (float)counts[kind] / (float)copies[kind];
        counts[kind] = 0;
    }
}

/* One row for each token: pile, kind, and how near it is to the top. */
static void encode_tokens(View *view, const List *pile, int64_t number) {
    const Plan *plan = view->plan;
    int64_t width = NUMBER(plan, TOKEN_WIDTH), depth = NUMBER(plan, SEEN_COLUMN) - 1;
    for (int32_t i = 0; i < pile->count; i++) {
        float *slots = view->slots + NUMBER(plan, TOKENS_START) + pile->items[i] * width;
        slots[number] = 1;
        slots[view->kinds[pile->items[i]]] = 1;
        slots[depth] = 1.0F / (float)(pile->count - i);
    }
}

/* The viewers of all tokens, seats from the viewer's on, spectators last. */
static void encode_seen(View *view) {
    const Plan *plan = view->plan;
    const State *state = view->state;
    int64_t width = NUMBER(plan, TOKEN_WIDTH), first = turn_of(view, 1);
    for (int32_t token = 0; token < state->face.count; token++) {
        float *slots = view->slots + NUMBER(plan, TOKENS_START) + token * width;
        slots += NUMBER(plan, SEEN_COLUMN);
        for (int64_t place = 0; place < state->seats; place++) {
            int64_t seat = (first + place) % state->seats;
            slots[place] = (float)(state->seen.items[token] >> seat & 1);
        }
        slots[state->seats] = (float)(state->seen.items[token] >> state->seats & 1);
    }
}

static void encode_pile(View *view, int64_t place) {
    const Plan *plan = view->plan;
    const List *pile = pile_at(view, place);
    const int64_t number = pile_number(view, place), first = NUMBER(plan, FIRST_KIND);
    if (!pile->count)
        return;
    if (NUMBER(plan, TOPS_START) >= 0 && PLAN(plan, int64_t, top_lines)[number] >= 0) {
        int64_t line = PLAN(plan, int64_t, top_lines)[number] * NUMBER(plan, KINDS);
        int64_t kind = view->kinds[pile->items[pile->count - 1]] - first;
        view->slots[NUMBER(plan, TOPS_START) + line + kind] = 1;
    }
    if (NUMBER(plan, ZONES_START) >= 0)
        encode_zone(view, pile, number);
    if (NUMBER(plan, DEPTHS_START) >= 0 && PLAN(plan, int64_t, ordered)[number]) {
        float *slots = view->slots + NUMBER(plan, DEPTHS_START);
        for (int32_t i = 0; i < pile->count; i++) {
            int64_t kind = view->kinds[pile->items[i]] - first;
            if (kind < NUMBER(plan, FACE_KINDS))
                slots[kind] = 1.0F / (float)(pile->count - i);
        }
    }
    if (NUMBER(plan, TOKENS_START) >= 0)
        encode_tokens(view, pile, number);
}

/* Fill the slots of a row, and find the kinds of the cards for its viewer. */
static void encode_view(View *view) {
    const Plan *plan = view->plan;
    memset(view->slots, 0, NUMBER(plan, SLOTS) * sizeof(float));
    find_kinds(view);
    encode_turn(view);
    for (int64_t i = 0; i < plan->numbers.count; i++)
        encode_number(view, PLAN(plan, NumberSlots, numbers) + i, PLAN(plan, NumberScale, scales) + i);
    for (int64_t i = 0; i < plan->bits.count; i++)
        encode_bits(view, PLAN(plan, BitSlots, bits) + i);
    for (int64_t i = 0; i < plan->piles.count; i++)
        encode_pile(view, i);
    if (NUMBER(plan, TOKENS_START) >= 0)
        encode_seen(view);
}

/* The numbers of cards in piles for one group of actions that names them by place. */
static void find_places(const View *view, int64_t group, int64_t *numbers) {
    const Plan *plan = view->plan;
    const PlaceGroup *places = PLAN(plan, PlaceGroup, place_groups) + group;
    const int64_t *firsts = PLAN(plan, int64_t, place_firsts) + group * plan->piles.count;
    for (int i = 0; i < TOKENS; i++)
        numbers[i] = places->elsewhere;
    for (int64_t place = 0; place < plan->piles.count; place++) {
        const List *pile = pile_at(view, place);
        int64_t first = firsts[pile_number(view, place)];
        for (int32_t i = 0; first >= 0 && i < pile->count; i++)
            numbers[pile->items[i]] = first + smaller(pile->count - 1 - i, places->depth - 1);
    }
}

/* Number legal actions as learners do; the viewer is the seat to act. */
static void number_actions(const View *view, const int64_t *actions, int64_t count, int64_t *into) {
    const Plan *plan = view->plan;
    int64_t by_place[TOKENS], group = -1;
    const int64_t *fixed = PLAN(plan, int64_t, fixed) + view->viewer * plan->starts.count;
    for (int64_t i = 0; i < count; i++) {
        int64_t action = number_in(actions[i], plan->starts.count);
        int64_t token = PLAN(plan, int64_t, token_of)[action];
        into[i] = fixed[action];
        if (NUMBER(plan, IS_SAME) || fixed[action] >= 0)
            continue;
        into[i] = PLAN(plan, int64_t, starts)[action] + view->kinds[token];
        int64_t place = PLAN(plan, int64_t, places)[action];
        if (place < 0)
            continue;
        if (place != group)
            find_places(view, group = place, by_place);
        into[i] = by_place[token];
    }
}
