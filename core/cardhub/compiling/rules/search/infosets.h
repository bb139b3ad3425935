/* Information sets and the edges of tried actions, as cardhub.bots.search.infosets has them.

   Both are numbered in the order in which they are made, parents before their children. Two tables
   find them by the number of a set and a key. What the last iteration has done can be taken back. */

#define NO_NUMBER (-1)
#define MOST_NUMBERS (1 << 29)

typedef struct {
    int64_t parent; /* NO_NUMBER for a topmost one */
    int64_t key;
    int64_t edges; /* how many */
} InfoSet;

typedef struct {
    int64_t infoset, key, action, seat;
    int64_t visits, available;
    double regret, standardized, total;
} Edge;

/* The numbers of sets or edges, at places that follow from a set and a key. */
typedef struct {
    int32_t *numbers;
    int64_t size; /* a power of two, or 0 */
} Finder;

typedef struct {
    InfoSet *infosets;
    Edge *edges;
    int64_t infoset_count, infoset_room, edge_count, edge_room;
    Finder children, tried;
    /* Before the present iteration: the numbers of both, and the edges that it made available. */
    int64_t infosets_before, edges_before;
    Growing raised;
} Store;

static inline int64_t place_of(int64_t infoset, int64_t key, int64_t size) {
    uint64_t hash = ((uint64_t)infoset * UINT64_C(0x9e3779b97f4a7c15)) ^ (uint64_t)key;
    hash *= UINT64_C(0xd6e8feb86659fd93);
    return (int64_t)(hash >> 32) & (size - 1);
}

/* The place of a set's child, or the free place for it. */
static inline int64_t place_of_child(const Store *store, int64_t parent, int64_t key) {
    const Finder *finder = &store->children;
    int64_t place = place_of(parent, key, finder->size);
    for (;; place = (place + 1) & (finder->size - 1)) {
        int32_t number = finder->numbers[place];
        if (number == NO_NUMBER
            || (store->infosets[number].parent == parent && store->infosets[number].key == key))
            return place;
    }
}

/* The place of a set's edge, or the free place for it. */
static inline int64_t place_of_edge(const Store *store, int64_t infoset, int64_t key) {
    const Finder *finder = &store->tried;
    int64_t place = place_of(infoset, key, finder->size);
    for (;; place = (place + 1) & (finder->size - 1)) {
        int32_t number = finder->numbers[place];
        if (number == NO_NUMBER
            || (store->edges[number].infoset == infoset && store->edges[number].key == key))
            return place;
    }
}

/* Make a table empty, with room for twice as many numbers as there are. */
static int enlarge(Finder *finder, int64_t count) {
    int64_t size = finder->size ? finder->size : 256;
    while (size < 4 * count)
        size *= 2;
    int32_t *numbers = realloc(finder->numbers, size * sizeof(int32_t));
    if (!numbers)
        return -1;
    memset(numbers, 0xff, size * sizeof(int32_t));
    finder->numbers = numbers;
    finder->size = size;
    return 0;
}

static int find_children_anew(Store *store) {
    if (enlarge(&store->children, store->infoset_count) < 0)
        return -1;
    for (int64_t number = 0; number < store->infoset_count; number++) {
        const InfoSet *infoset = &store->infosets[number];
        if (infoset->parent != NO_NUMBER)
            store->children.numbers[place_of_child(store, infoset->parent, infoset->key)]
                = (int32_t)number;
    }
    return 0;
}

static int find_edges_anew(Store *store) {
    if (enlarge(&store->tried, store->edge_count) < 0)
        return -1;
    for (int64_t number = 0; number < store->edge_count; number++) {
        const Edge *edge = &store->edges[number];
        store->tried.numbers[place_of_edge(store, edge->infoset, edge->key)] = (int32_t)number;
    }
    return 0;
}

/* Make room for one more item; gives back without memory for it. */
static void *grown(void *items, int64_t count, int64_t *room, size_t size) {
    if (count < *room)
        return items;
    int64_t new_room = 2 * *room + 256;
    void *new_items = count < MOST_NUMBERS ? realloc(items, new_room * size) : NULL;
    if (!new_items)
        give_back(NO_ROOM);
    *room = new_room;
    return new_items;
}

static int64_t add_infoset(Store *store, int64_t parent, int64_t key) {
    store->infosets = grown(store->infosets, store->infoset_count, &store->infoset_room,
                            sizeof(InfoSet));
    int64_t number = store->infoset_count++;
    store->infosets[number] = (InfoSet){.parent = parent, .key = key};
    return number;
}

/* The next information set after a view of an action; made if there is none. */
static inline int64_t child(Store *store, int64_t parent, int64_t key) {
    int64_t place = place_of_child(store, parent, key);
    int32_t known = store->children.numbers[place];
    if (known != NO_NUMBER)
        return known;
    int64_t number = add_infoset(store, parent, key);
    if (2 * store->infoset_count < store->children.size)
        store->children.numbers[place] = (int32_t)number;
    else if (find_children_anew(store) < 0)
        give_back(NO_ROOM);
    return number;
}

/* The edge of an action in an information set, or NO_NUMBER. */
static inline int64_t edge_of(const Store *store, int64_t infoset, int64_t key) {
    return store->tried.numbers[place_of_edge(store, infoset, key)];
}

/* Add an edge without visits, which is not there yet. */
static int64_t add_edge(
    Store *store, int64_t infoset, int64_t key, int64_t action, int64_t seat, int64_t available
) {
    store->edges = grown(store->edges, store->edge_count, &store->edge_room, sizeof(Edge));
    int64_t number = store->edge_count++;
    store->edges[number] = (Edge){.infoset = infoset, .key = key, .action = action, .seat = seat,
                                  .available = available};
    store->infosets[infoset].edges++;
    if (2 * store->edge_count < store->tried.size)
        store->tried.numbers[place_of_edge(store, infoset, key)] = (int32_t)number;
    else if (find_edges_anew(store) < 0)
        give_back(NO_ROOM);
    return number;
}

/* Note that an action was legal in one more determinization. */
static inline int64_t raise_available(Store *store, int64_t edge) {
    if (append_to(&store->raised, edge) < 0)
        give_back(NO_ROOM);
    return ++store->edges[edge].available;
}

static void begin_iteration(Store *store) {
    store->infosets_before = store->infoset_count;
    store->edges_before = store->edge_count;
    store->raised.count = 0;
}

/* Take back what was done since the iteration began. The newest entries of a table were added
   last, so no other entry stands at a later place because of them. */
static void take_back(Store *store) {
    for (int64_t i = 0; i < store->raised.count; i++)
        store->edges[store->raised.items[i]].available--;
    while (store->edge_count > store->edges_before) {
        const Edge *edge = &store->edges[store->edge_count - 1];
        store->tried.numbers[place_of_edge(store, edge->infoset, edge->key)] = NO_NUMBER;
        store->infosets[edge->infoset].edges--;
        store->edge_count--;
    }
    while (store->infoset_count > store->infosets_before) {
        const InfoSet *infoset = &store->infosets[store->infoset_count - 1];
        if (infoset->parent != NO_NUMBER)
            store->children.numbers[place_of_child(store, infoset->parent, infoset->key)]
                = NO_NUMBER;
        store->infoset_count--;
    }
    store->raised.count = 0;
}

/* Remove all but an information set and what is below it, which gets the number 0. */
static int keep_below(Store *store, int64_t root) {
    int64_t *numbers = malloc(store->infoset_count * sizeof(int64_t));
    if (!numbers)
        return -1;
    int64_t kept = 0;
    for (int64_t number = 0; number < store->infoset_count; number++) {
        InfoSet infoset = store->infosets[number];
        int64_t parent = infoset.parent == NO_NUMBER ? NO_NUMBER : numbers[infoset.parent];
        numbers[number] = number == root || parent != NO_NUMBER ? kept++ : NO_NUMBER;
        if (numbers[number] == NO_NUMBER)
            continue;
        infoset.parent = number == root ? NO_NUMBER : parent;
        store->infosets[numbers[number]] = infoset;
    }
    store->infoset_count = kept;
    int64_t kept_edges = 0;
    for (int64_t number = 0; number < store->edge_count; number++) {
        Edge edge = store->edges[number];
        edge.infoset = numbers[edge.infoset];
        if (edge.infoset != NO_NUMBER)
            store->edges[kept_edges++] = edge;
    }
    store->edge_count = kept_edges;
    free(numbers);
    return 0;
}

static void free_store(Store *store) {
    free(store->infosets);
    free(store->edges);
    free(store->children.numbers);
    free(store->tried.numbers);
    free(store->raised.items);
}
