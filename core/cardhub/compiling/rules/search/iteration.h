/* One iteration of a search: from a determinization down the tree, a playout, and its values, as
   cardhub.bots.search.search_tree and EdgeSelector do it. */

/* As in cardhub.bots.search.infosets. */
#define EXPLORATION 0.3
#define WIDTH 1.5
#define EXPLORED 0.1

typedef struct {
    int64_t edge, action;
} Choice;

/* A choice in a round; its edges stand in a list of their own, from `first` on. */
typedef struct {
    int64_t first, count, edge;
    double probability;
} RoundChoice;

typedef struct {
    ActionKeys keys;
    Store store;
    Values values;
    Standardizer standardizer;
    int64_t seat, depth, is_valued_by_scores;
    int64_t added, added_before; /* information sets of the seat that got edges */
    int64_t roots[SEATS];
    /* The observed state, and the next one; what its seat has not seen; and the tokens by which the first
       information sets of rivals differ, in parts for one rival each. */
    State observed, arrived;
    Unseen unseen;
    int64_t rivals, rival_seats[SEATS], rival_ends[SEATS], rival_tokens[SEATS * TOKENS];
    /* The present iteration. */
    Generator *generator, before;
    uint64_t twists_before;
    State world;
    Growing path, round_edges;
    int64_t rounds, round_room;
    RoundChoice *round_choices;
} Search;

/* What an iteration gets as its task. */
typedef struct {
    Task task;
    Search *search;
    int is_drawn;         /* whether the determinization is to be drawn */
    int64_t first_action; /* at the root, or NO_NUMBER to select it */
    const List *steps;    /* of a walk: seats and actions in turns */
    int64_t end;          /* of a walk: the information set; NO_NUMBER if it is impossible */
} Errand;

static void note(Growing *list, int64_t number) {
    if (append_to(list, number) < 0)
        give_back(NO_ROOM);
}

static int64_t new_edge(
    Search *search, int64_t infoset, int64_t key, int64_t action, int64_t seat, int64_t available
) {
    if (seat == search->seat && !search->store.infosets[infoset].edges)
        search->added++;
    return add_edge(&search->store, infoset, key, action, seat, available);
}

/* Add the edge of an untried action: the one that playouts prefer, or any other. */
static Choice widen(Search *search, State *state, int64_t infoset, const List *untried) {
    int64_t preferred = preferred_action(state, search->generator);
    int64_t action = contains(untried, preferred)
        ? preferred : untried->items[random_place(search->generator, untried->count)];
    int64_t key = edge_key(&search->keys, state, action);
    return (Choice){new_edge(search, infoset, key, action, state->seat, 1), action};
}

#define LOGARITHMS 4096
static double logarithms[LOGARITHMS];

static inline double logarithm_of(int64_t number) {
    return number < LOGARITHMS ? logarithms[number] : log((double)number);
}

/* The best edge by UCB, or a new one by progressive widening. */
static Choice select_edge(Search *search, State *state, int64_t infoset) {
    Store *store = &search->store;
    const List *legal = AMOUNT_GROUPS ? few_legal(store, state, infoset, search->generator)
                                      : true_legal(state);
    List *untried = new_list(legal->count);
    Choice best = {NO_NUMBER, 0};
    int64_t total = 0;
    double top = -1.0;
    for (int32_t i = 0; i < legal->count; i++) {
        int64_t action = legal->items[i];
        int64_t number = edge_of(store, infoset, edge_key(&search->keys, state, action));
        if (number == NO_NUMBER) {
            append(untried, action);
            continue;
        }
        double logarithm = logarithm_of(raise_available(store, number));
        const Edge *edge = &store->edges[number];
        require(edge->visits > 0);
        double visits = (double)edge->visits;
        total += edge->visits;
        double bound = edge->standardized / visits + EXPLORATION * sqrt(logarithm / visits);
        if (bound > top) {
            best = (Choice){number, action};
            top = bound;
        }
    }
    int64_t tried = legal->count - untried->count;
    if (best.edge == NO_NUMBER
        || (untried->count && (double)tried <= WIDTH * sqrt((double)total)))
        return widen(search, state, infoset, untried);
    return best;
}

/* Of legal actions with one key the first has the place, and the last is the action. */
static void merge_equal(Search *search, const State *state, List *keys, List *actions) {
    const List *legal = true_legal((State *)state);
    for (int32_t i = 0; i < legal->count; i++) {
        int64_t key = edge_key(&search->keys, state, legal->items[i]);
        int64_t place = place_in(keys, key);
        if (place >= 0) {
            actions->items[place] = legal->items[i];
            continue;
        }
        append(keys, key);
        append(actions, legal->items[i]);
    }
}

/* An edge drawn by the regrets, in a round of simultaneous choices. */
static Choice select_in_round(Search *search, State *state, int64_t infoset) {
    Store *store = &search->store;
    List *keys = new_list(search->keys.actions), *actions = new_list(search->keys.actions);
    merge_equal(search, state, keys, actions);
    require(keys->count > 0);
    search->round_choices = grown(search->round_choices, search->rounds, &search->round_room,
                                  sizeof(RoundChoice));
    List *regrets = new_list(keys->count);
    RoundChoice *choice = &search->round_choices[search->rounds];
    choice->first = search->round_edges.count;
    choice->count = keys->count;
    for (int32_t i = 0; i < keys->count; i++) {
        int64_t edge = edge_of(store, infoset, keys->items[i]);
        if (edge == NO_NUMBER)
            edge = new_edge(search, infoset, keys->items[i], actions->items[i], state->seat, 1);
        else
            raise_available(store, edge);
        note(&search->round_edges, edge);
        append(regrets, bits_of(store->edges[edge].regret));
    }
    double regret = exact_sum(regrets), uniform = 1.0 / (double)keys->count;
    double share = regret > 0 ? (1 - EXPLORED) / regret : 0;
    List *odds = new_list(keys->count);
    for (int32_t i = 0; i < keys->count; i++) {
        double odd = EXPLORED * uniform + share * float_of(regrets->items[i]);
        append(odds, bits_of(regret > 0 ? odd : uniform));
    }
    int64_t place = weighted_place(odds, search->generator);
    choice->edge = search->round_edges.items[choice->first + place];
    choice->probability = float_of(odds->items[place]);
    search->rounds++;
    return (Choice){choice->edge, actions->items[place]};
}

/* The information set of each seat in a determinization. */
static void begin_views(Search *search, Views *views) {
    int64_t classes[TOKENS];
    memcpy(views->nodes, search->roots, sizeof(views->nodes));
    memcpy(views->seen, search->observed.seen.items, sizeof(views->seen));
    int64_t start = 0;
    for (int64_t rival = 0; rival < search->rivals; rival++) {
        int64_t count = search->rival_ends[rival] - start, seat = search->rival_seats[rival];
        for (int64_t i = 0; i < count; i++)
            classes[i] = class_of(&search->keys, &search->world, search->rival_tokens[start + i]);
        views->nodes[seat] = below(&search->store, views->nodes[seat], classes, count);
        start += count;
    }
}

/* Go down by the best edges until one has no visits, and apply its action. */
static void descend(Search *search, Views *views) {
    State *state = &search->world;
    int is_new = 0;
    for (int64_t steps = 0; state->seat != OVER; steps++) {
        if (steps == MOST_ACTIONS)
            give_back(TOO_LONG);
        heap_used = 0;
        int64_t action;
        if (state->seat == CHANCE) {
            action = chance_action(state, search->generator);
        } else {
            int64_t infoset = views->nodes[number_in(state->seat, state->seats)];
            Choice choice = is_in_round(state) ? select_in_round(search, state, infoset)
                                               : select_edge(search, state, infoset);
            note(&search->path, choice.edge);
            action = choice.action;
            is_new = is_new || !search->store.edges[choice.edge].visits;
            /* In a round, each seat gets an edge before the playout. */
            if (is_new && count_open(state) < 2) {
                heap_used = 0;
                apply_action(state, action, search->generator);
                return;
            }
        }
        step(&search->store, &search->keys, state, action, views, search->generator);
    }
}

/* Update the regrets of the choices in rounds; `values`: by seat, 0.5 is the mean. */
static void learn(Search *search, const double *values) {
    Edge *edges = search->store.edges;
    for (int64_t i = 0; i < search->rounds; i++) {
        const RoundChoice *choice = &search->round_choices[i];
        Edge *chosen = &edges[choice->edge];
        double value = values[chosen->seat] - 0.5;
        for (int64_t place = 0; place < choice->count; place++) {
            Edge *edge = &edges[search->round_edges.items[choice->first + place]];
            edge->regret = larger_double(0.0, edge->regret - value);
        }
        chosen->regret = larger_double(0.0, chosen->regret + value / choice->probability);
    }
}

/* Add the values of the state after the last edge to all edges of the path. */
static void back_up(Search *search, const Task *played) {
    Values values = search->values;
    Standardizer standardizer = search->standardizer;
    int is_over = search->world.seat == OVER;
    Result result = {.count = search->world.seats, .has_scores = is_over};
    int is_final = is_over && search->is_valued_by_scores;
    double by_seat[SEATS], standardized[SEATS];
    memcpy(result.scores, played->scores, sizeof(result.scores));
    for (int64_t seat = 0; seat < result.count; seat++)
        result.evaluations[seat] = is_final ? as_double(played->scores[seat])
                                            : played->evaluations[seat];
    seat_values(&values, &result, by_seat);
    standardize(&standardizer, by_seat, result.count, standardized);
    /* From here on nothing is given back. */
    search->values = values;
    search->standardizer = standardizer;
    for (int64_t i = 0; i < search->path.count; i++) {
        Edge *edge = &search->store.edges[search->path.items[i]];
        edge->visits++;
        edge->standardized += standardized[edge->seat];
        edge->total += by_seat[edge->seat];
    }
    learn(search, standardized);
}

/* Search one determinization. */
static void do_iterate(Task *task) {
    Errand *errand = (Errand *)task;
    Search *search = errand->search;
    State *state = &search->world;
    Views views;
    drawing = search->generator;
    search->path.count = search->round_edges.count = search->rounds = 0;
    if (errand->is_drawn)
        draw_world(&search->unseen, &search->observed, state, search->generator);
    begin_views(search, &views);
    if (errand->first_action == NO_NUMBER) {
        descend(search, &views);
    } else {
        int64_t root = search->roots[search->seat], action = errand->first_action;
        int64_t key = edge_key(&search->keys, state, action);
        int64_t edge = edge_of(&search->store, root, key);
        if (edge == NO_NUMBER)
            edge = new_edge(search, root, key, action, state->seat, 0);
        note(&search->path, edge);
        step(&search->store, &search->keys, state, action, &views, search->generator);
        if (search->store.edges[edge].visits)
            descend(search, &views);
    }
    do_playout(task);
    back_up(search, task);
}

/* Walk from the root along actions that were taken. */
static void do_walk(Task *task) {
    Errand *errand = (Errand *)task;
    Search *search = errand->search;
    State *state = &search->world;
    Views views;
    errand->end = NO_NUMBER;
    for (int64_t seat = 0; seat < SEATS; seat++)
        views.nodes[seat] = search->roots[search->seat];
    memcpy(views.seen, search->observed.seen.items, sizeof(views.seen));
    for (int32_t i = 0; i < errand->steps->count; i += 2) {
        int64_t seat = errand->steps->items[i], action = errand->steps->items[i + 1];
#ifdef HAS_CHOICES
        if (seat >= 0 && seat < state->CHOICES.count && state->CHOICES.items[seat] == OPEN)
            state->seat = seat;
#endif
        heap_used = 0;
        if (state->seat != seat || !contains(true_legal(state), action))
            return;
        step(&search->store, &search->keys, state, action, &views, search->generator);
    }
    errand->end = views.nodes[search->seat];
}

/* Keep the words of a generator that other programs may have used. */
static void use_generator(Search *search, Generator *generator) {
    search->generator = generator;
    search->before = *generator;
    search->twists_before = twists;
}

/* Try an iteration or a walk; what is given back has not happened. */
static Reason venture(Search *search, void (*deed)(Task *), Errand *errand) {
    /* The words are copied only if they have changed: there are many. */
    if (search->twists_before != twists)
        use_generator(search, search->generator);
    search->before.index = search->generator->index;
    begin_iteration(&search->store);
    search->added_before = search->added;
    int64_t drawn = search->unseen.drawn, accepted = search->unseen.accepted;
    double top = search->unseen.top;
    Reason reason = attempt(deed, &errand->task);
    if (reason) {
        search->unseen.drawn = drawn;
        search->unseen.accepted = accepted;
        search->unseen.top = top;
        take_back(&search->store);
        search->added = search->added_before;
        *search->generator = search->before;
    }
    return reason;
}
