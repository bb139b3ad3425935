/* Groups of amounts among the legal actions, as cardhub.bots.search.amount_search has them. */

#define AMOUNT_WIDTH 0.5

/* The legal actions without an amount, and by group those with one; groups in the order in which
   they come up, their actions in ascending order. */
typedef struct {
    List *single;
    int64_t groups;
    List *amounts[AMOUNT_GROUPS + 1];
} SplitLegal;

/* The group of an action, or -1. */
static inline int64_t block_of(int64_t action) {
    for (int64_t block = 0; block < AMOUNT_GROUPS; block++)
        if (action >= AMOUNT_STARTS[block] && action < AMOUNT_ENDS[block])
            return block;
    return -1;
}

static inline void append_in_order(List *list, int64_t value) {
    append(list, value);
    for (int32_t i = list->count - 1; i > 0 && list->items[i - 1] > value; i--) {
        list->items[i] = list->items[i - 1];
        list->items[i - 1] = value;
    }
}

static SplitLegal split_legal(const List *legal) {
    SplitLegal split = {.single = new_list(legal->count)};
    List *by_block[AMOUNT_GROUPS + 1] = {NULL};
    for (int32_t i = 0; i < legal->count; i++) {
        int64_t block = block_of(legal->items[i]);
        if (block < 0) {
            append(split.single, legal->items[i]);
            continue;
        }
        if (!by_block[block])
            by_block[block] = split.amounts[split.groups++] = new_list(legal->count);
        append_in_order(by_block[block], legal->items[i]);
    }
    return split;
}

/* A random action, in which all amounts of a group count as one action. */
static int64_t grouped_action(State *state, Generator *generator) {
    SplitLegal split = split_legal(true_legal(state));
    int64_t number = random_below(generator, split.single->count + split.groups);
    if (number < split.single->count)
        return split.single->items[number];
    require(number - split.single->count < split.groups);
    const List *group = split.amounts[number - split.single->count];
    return group->items[random_below(generator, group->count)];
}
