/* Progressive widening of amounts, as cardhub.bots.search.amount_search has it: few amounts of a
   group, the next one beside the best. */

/* The places in a group of the amounts that have visits. */
typedef struct {
    const List *group;
    List *places;
    int64_t visits, best; /* the best one's place among them */
} Tried;

static Tried tried_amounts(const Store *store, int64_t infoset, const List *group) {
    Tried tried = {.group = group, .places = new_list(group->count)};
    double top = 0;
    for (int32_t place = 0; place < group->count; place++) {
        int64_t number = edge_of(store, infoset, group->items[place]);
        if (number == NO_NUMBER || !store->edges[number].visits)
            continue;
        const Edge *edge = &store->edges[number];
        double value = edge->standardized / (double)edge->visits;
        if (!tried.places->count || value > top) {
            top = value;
            tried.best = tried.places->count;
        }
        tried.visits += edge->visits;
        append(tried.places, place);
    }
    return tried;
}

static int64_t whole_root(int64_t number) {
    int64_t root = (int64_t)sqrt((double)number);
    while (root * root > number)
        root--;
    while ((root + 1) * (root + 1) <= number)
        root++;
    return root;
}

/* The place of an amount between two tried ones, nearer to the lower one; or NO_NUMBER. */
static int64_t place_between(const Tried *tried, int64_t gap) {
    int64_t first = tried->places->items[gap] + 1, last = tried->places->items[gap + 1] + 1;
    int64_t place = whole_root(first * last);
    place += place == first;
    return place < last ? place - 1 : NO_NUMBER;
}

/* The place of the amount to add, or NO_NUMBER if the amounts need more visits first. */
static int64_t next_amount(const Tried *tried, int64_t preferred) {
    const List *group = tried->group;
    int64_t count = tried->places->count, gaps = count - 1;
    if (count == group->count || (double)count > AMOUNT_WIDTH * sqrt((double)tried->visits))
        return NO_NUMBER;
    int64_t wanted[] = {place_in(group, preferred), 0, (int64_t)group->count - 1};
    for (int i = 0; i < 3; i++)
        if (wanted[i] >= 0 && !contains(tried->places, wanted[i]))
            return wanted[i];
    for (int64_t gap = tried->best - 1; gap <= tried->best; gap++) {
        int64_t place = gap >= 0 && gap < gaps ? place_between(tried, gap) : NO_NUMBER;
        if (place != NO_NUMBER)
            return place;
    }
    for (int64_t gap = 0; gap < gaps; gap++) {
        int64_t place = place_between(tried, gap);
        if (place != NO_NUMBER)
            return place;
    }
    return NO_NUMBER;
}

/* The legal actions with the tried amounts of each group, and at most a new one. */
static List *few_legal(const Store *store, State *state, int64_t infoset, Generator *generator) {
    List *legal = true_legal(state);
    SplitLegal split = split_legal(legal);
    if (!split.groups)
        return legal;
    int64_t preferred = preferred_action(state, generator);
    for (int64_t number = 0; number < split.groups; number++) {
        Tried tried = tried_amounts(store, infoset, split.amounts[number]);
        for (int32_t i = 0; i < tried.places->count; i++)
            append(split.single, tried.group->items[tried.places->items[i]]);
        int64_t added = next_amount(&tried, preferred);
        if (added != NO_NUMBER)
            append(split.single, tried.group->items[added]);
    }
    return split.single;
}
