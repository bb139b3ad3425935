/* The search tree for Python: `Tree` objects, which search in C from one seat's observation.

   Nothing in them comes from the true state: the observed state has no unseen faces, and the faces
   of a determinization are drawn from its pools, or passed. */

typedef struct {
    PyObject_HEAD
    PyObject *random;
    Search search;
} Tree;

/* Returns whether an error says that Python has to search, and forgets it. */
static int is_given_back(void) {
    if (!PyErr_ExceptionMatches(given_back_error))
        return 0;
    PyErr_Clear();
    return 1;
}

/* Read a list of numbers by action into new memory. */
static int64_t *read_by_action(PyObject *values, int64_t count) {
    if (!PyList_CheckExact(values) || PyList_GET_SIZE(values) != count) {
        PyErr_SetString(PyExc_ValueError, "a list does not have a number for each action");
        return NULL;
    }
    int64_t *numbers = malloc((count + 1) * sizeof(int64_t));
    if (!numbers)
        return (int64_t *)PyErr_NoMemory();
    for (int64_t i = 0; i < count; i++) {
        if (read_number(PyList_GET_ITEM(values, i), &numbers[i]) < 0) {
            free(numbers);
            return NULL;
        }
    }
    return numbers;
}

static int read_keys(ActionKeys *keys, PyObject *given) {
    PyObject *tokens, *seen_keys, *unseen_keys, *are_secret, *classes;
    long long hidden_key;
    if (!PyArg_ParseTuple(given, "O!O!O!O!O!L", &PyList_Type, &tokens, &PyList_Type, &seen_keys,
                          &PyList_Type, &unseen_keys, &PyList_Type, &are_secret, &PyList_Type,
                          &classes, &hidden_key))
        return -1;
    int64_t count = PyList_GET_SIZE(tokens);
    keys->actions = count;
    keys->hidden_key = hidden_key;
    LIST(FACES) by_face = {.room = FACES};
    if (!(keys->tokens = read_by_action(tokens, count))
        || !(keys->seen_keys = read_by_action(seen_keys, count))
        || !(keys->unseen_keys = read_by_action(unseen_keys, count))
        || !(keys->are_secret = read_by_action(are_secret, count))
        || read_list(classes, AS_LIST(by_face)) < 0)
        return -1;
    memcpy(keys->classes, by_face.items, sizeof(keys->classes));
    int is_fit = by_face.count == FACES;
    for (int64_t i = 0; i < count; i++)
        is_fit &= keys->tokens[i] < TOKENS;
    if (is_fit)
        return 0;
    PyErr_SetString(PyExc_ValueError, "the keys are for other cards");
    return -1;
}

/* Read how results become values: the kind, whether the lowest wins, and the team of each seat. */
static int read_values(Values *values, PyObject *given) {
    PyObject *teams;
    long long kind, lowest_wins;
    LIST(SEATS) team_of = {.room = SEATS};
    if (!PyArg_ParseTuple(given, "LLO!", &kind, &lowest_wins, &PyList_Type, &teams)
        || read_list(teams, AS_LIST(team_of)) < 0)
        return -1;
    *values = (Values){.kind = kind, .lowest_wins = lowest_wins, .seats = team_of.count};
    for (int32_t seat = 0; seat < team_of.count; seat++) {
        int64_t team = team_of.items[seat];
        if (team < 0 || team >= SEATS) {
            PyErr_SetString(PyExc_ValueError, "there is no such team");
            return -1;
        }
        values->team_of[seat] = team;
        values->teams = larger(values->teams, team + 1);
    }
    if (values->teams == values->seats)
        values->teams = 0;
    return 0;
}

/* Tree(keys, values, (seat, depth, is_linear, is_valued_by_scores), random) */
static int tree_init(Tree *self, PyObject *arguments, PyObject *Py_UNUSED(keywords)) {
    PyObject *keys, *values, *random;
    long long seat, depth, is_linear, is_valued_by_scores;
    if (self->random) {
        PyErr_SetString(PyExc_TypeError, "a tree is made once");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "O!O!(LLLL)O", &PyTuple_Type, &keys, &PyTuple_Type, &values,
                          &seat, &depth, &is_linear, &is_valued_by_scores, &random))
        return -1;
    Search *search = &self->search;
    if (!checked_generator(random) || read_keys(&search->keys, keys) < 0
        || read_values(&search->values, values) < 0)
        return -1;
    self->random = Py_NewRef(random);
    search->seat = seat;
    search->depth = depth;
    search->standardizer.is_linear = is_linear;
    search->is_valued_by_scores = is_valued_by_scores;
    for (int64_t i = 0; i < LOGARITHMS && !logarithms[LOGARITHMS - 1]; i++)
        logarithms[i] = log((double)larger(i, 1));
    return 0;
}

static void tree_dealloc(Tree *self) {
    ActionKeys *keys = &self->search.keys;
    free(keys->tokens);
    free(keys->seen_keys);
    free(keys->unseen_keys);
    free(keys->are_secret);
    free_store(&self->search.store);
    free(self->search.path.items);
    free(self->search.round_edges.items);
    free(self->search.round_choices);
    for (int i = 0; i < MOST_TABLES; i++)
        free(self->search.unseen.table[i].numbers.items);
    for (int i = 0; i < OBSERVED_FIELDS; i++)
        free(self->search.unseen.observed[i]);
    Py_XDECREF(self->random);
    Py_TYPE(self)->tp_free(self);
}

/* Read pairs of a rival and tokens that it has seen and others have not. */
static int read_rivals(Search *search, PyObject *rivals) {
    int64_t start = 0;
    search->rivals = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rivals); i++) {
        PyObject *members;
        long long rival;
        LIST(TOKENS) tokens = {.room = TOKENS};
        if (!PyArg_ParseTuple(PyList_GET_ITEM(rivals, i), "LO!", &rival, &PyList_Type, &members)
            || read_list(members, AS_LIST(tokens)) < 0)
            return -1;
        if (rival < 0 || rival >= SEATS || search->rivals == SEATS) {
            PyErr_SetString(PyExc_ValueError, "there is no such rival");
            return -1;
        }
        memcpy(search->rival_tokens + start, tokens.items, tokens.count * sizeof(int64_t));
        start += tokens.count;
        search->rival_seats[search->rivals] = rival;
        search->rival_ends[search->rivals++] = start;
    }
    return 0;
}

/* Read the observed state at which a tree arrives. */
static int read_observed(Search *search, PyObject *state) {
    prepare(&search->arrived);
    if (read_state(state, &search->arrived, 1) < 0
        || read_observed_fields(state, &search->unseen) < 0)
        return -1;
    if (search->seat >= 0 && search->seat < search->arrived.seats)
        return 0;
    PyErr_SetString(given_back_error, "the seat that searches is not at the table");
    return -1;
}

/* Make topmost information sets for the rivals. */
static void do_add_roots(Task *task) {
    Search *search = ((Errand *)task)->search;
    for (int64_t seat = 0; seat < SEATS; seat++)
        if (seat != search->seat)
            search->roots[seat] = add_infoset(&search->store, NO_NUMBER, 0);
}

/* Begin in the state that has arrived; the seat's topmost information set has the number 0. */
static Reason begin_tree(Search *search) {
    Store *store = &search->store;
    Errand errand = {.search = search};
    search->observed = search->arrived;
    search->unseen.pools = search->unseen.tables = 0;
    search->roots[search->seat] = 0;
    if (find_children_anew(store) < 0 || find_edges_anew(store) < 0)
        return NO_ROOM;
    return attempt(do_add_roots, &errand.task);
}

/* reset(state, rivals): begin a new tree; returns whether it can be in C. */
static PyObject *tree_reset(Tree *self, PyObject *arguments) {
    PyObject *state, *rivals;
    Search *search = &self->search;
    if (!PyArg_ParseTuple(arguments, "OO!", &state, &PyList_Type, &rivals))
        return NULL;
    if (read_observed(search, state) < 0)
        return is_given_back() ? Py_NewRef(Py_False) : NULL;
    if (read_rivals(search, rivals) < 0)
        return NULL;
    Store *store = &search->store;
    store->infoset_count = store->edge_count = search->added = 0;
    if (!store->infosets && !(store->infosets = malloc(sizeof(InfoSet))))
        return PyErr_NoMemory();
    store->infoset_room = larger(store->infoset_room, 1);
    store->infosets[store->infoset_count++] = (InfoSet){.parent = NO_NUMBER};
    return PyBool_FromLong(begin_tree(search) == NOTHING);
}

/* Make the world of a determinization with faces that were drawn. */
static int put_faces(Search *search, PyObject *faces) {
    search->world = search->observed;
    if (read_list(faces, AS_LIST(search->world.face)) < 0)
        return -1;
    if (search->world.face.count == search->observed.face.count)
        return 0;
    PyErr_SetString(PyExc_ValueError, "a determinization has a face for each token");
    return -1;
}

static int is_begun(const Search *search) {
    if (search->store.children.size)
        return 1;
    PyErr_SetString(PyExc_ValueError, "reset() begins a tree");
    return 0;
}

static Errand new_errand(Search *search) {
    Task task = {.state = &search->world, .generator = search->generator, .depth = search->depth,
                 .is_alone = search->observed.seats == 1,
                 .evaluates_end = !search->is_valued_by_scores};
    return (Errand){.task = task, .search = search, .first_action = NO_NUMBER};
}

/* use_plan(plan, top): take what `search` draws faces by, as `FacePlan` has it, and the greatest
   likelihood so far, or None if nothing depends on it; returns whether it can. */
static PyObject *tree_use_plan(Tree *self, PyObject *arguments) {
    PyObject *pools, *tables, *top;
    int is_tested;
    Unseen *unseen = &self->search.unseen;
    if (!PyArg_ParseTuple(arguments, "(O!O!p)O", &PyList_Type, &pools, &PyList_Type, &tables,
                          &is_tested, &top))
        return NULL;
    unseen->is_tested = is_tested;
    unseen->is_weighted = top != Py_None;
    unseen->top = unseen->is_weighted ? PyFloat_AsDouble(top) : 0;
    if (PyErr_Occurred())
        return NULL;
    if ((is_tested && !HAS_PLAUSIBLE) || (unseen->is_weighted && !HAS_LIKELIHOOD))
        Py_RETURN_FALSE;
    if (read_unseen(pools, unseen) < 0 || read_tables(tables, unseen) < 0)
        return is_given_back() ? Py_NewRef(Py_False) : NULL;
    Py_RETURN_TRUE;
}

/* tries(): how many faces were drawn and tested since the last call, and how many were plausible;
   and the greatest likelihood so far. */
static PyObject *tree_tries(Tree *self, PyObject *Py_UNUSED(ignored)) {
    Unseen *unseen = &self->search.unseen;
    PyObject *tries = Py_BuildValue("LLd", (long long)unseen->drawn, (long long)unseen->accepted,
                                    unseen->top);
    unseen->drawn = unseen->accepted = 0;
    return tries;
}

/* search(count): search determinizations drawn from the pools; returns how many were not given
   back. */
static PyObject *tree_search(Tree *self, PyObject *number) {
    int64_t count, done = 0;
    Search *search = &self->search;
    if (read_number(number, &count) < 0 || !is_begun(search))
        return NULL;
    use_generator(search, checked_generator(self->random));
    for (; done < count; done++) {
        Errand errand = new_errand(search);
        errand.is_drawn = 1;
        if (venture(search, do_iterate, &errand))
            break;
    }
    return PyLong_FromLongLong(done);
}

/* iterate(faces, action): search one determinization, from an action at the root if that is not
   -1; returns False if it was given back. */
static PyObject *tree_iterate(Tree *self, PyObject *arguments) {
    PyObject *faces;
    long long action;
    Search *search = &self->search;
    if (!PyArg_ParseTuple(arguments, "OL", &faces, &action))
        return NULL;
    if (!is_begun(search))
        return NULL;
    if (put_faces(search, faces) < 0)
        return is_given_back() ? Py_NewRef(Py_False) : NULL;
    use_generator(search, checked_generator(self->random));
    Errand errand = new_errand(search);
    errand.first_action = action;
    return PyBool_FromLong(venture(search, do_iterate, &errand) == NOTHING);
}

/* Read the seats and actions of steps in turns. */
static List *read_steps(PyObject *steps) {
    Py_ssize_t count = 2 * PyList_GET_SIZE(steps);
    List *numbers = malloc(sizeof(List) + (count + 1) * sizeof(int64_t));
    if (!numbers)
        return (List *)PyErr_NoMemory();
    numbers->count = numbers->room = (int32_t)count;
    for (Py_ssize_t i = 0; i < count; i += 2) {
        long long seat, action;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(steps, i / 2), "LL", &seat, &action)) {
            free(numbers);
            return NULL;
        }
        numbers->items[i] = seat;
        numbers->items[i + 1] = action;
    }
    return numbers;
}

/* advance(faces, steps, state, rivals): move the root along steps to another observation; returns
   whether the tree contains it, or None if Python has to do it. */
static PyObject *tree_advance(Tree *self, PyObject *arguments) {
    PyObject *faces, *given, *state, *rivals;
    Search *search = &self->search;
    if (!PyArg_ParseTuple(arguments, "OO!OO!", &faces, &PyList_Type, &given, &state, &PyList_Type,
                          &rivals))
        return NULL;
    if (!is_begun(search))
        return NULL;
    if (read_observed(search, state) < 0 || put_faces(search, faces) < 0)
        return is_given_back() ? Py_NewRef(Py_None) : NULL;
    List *steps = read_steps(given);
    if (!steps)
        return NULL;
    use_generator(search, checked_generator(self->random));
    Errand errand = new_errand(search);
    errand.steps = steps;
    Reason reason = venture(search, do_walk, &errand);
    free(steps);
    if (reason)
        Py_RETURN_NONE;
    if (errand.end == NO_NUMBER)
        Py_RETURN_FALSE;
    if (read_rivals(search, rivals) < 0)
        return NULL;
    if (keep_below(&search->store, errand.end) < 0)
        return PyErr_NoMemory();
    return PyBool_FromLong(begin_tree(search) == NOTHING);
}

/* edge(key): the visits and the total of an edge at the root, or None. */
static PyObject *tree_edge(Tree *self, PyObject *number) {
    int64_t key;
    const Search *search = &self->search;
    if (read_number(number, &key) < 0 || !is_begun(search))
        return NULL;
    int64_t edge = edge_of(&search->store, search->roots[search->seat], key);
    if (edge == NO_NUMBER)
        Py_RETURN_NONE;
    const Edge *known = &search->store.edges[edge];
    return Py_BuildValue("Ld", (long long)known->visits, known->total);
}

/* size(): how many edges the root has, and how many sets of the seat got edges. */
static PyObject *tree_size(Tree *self, PyObject *Py_UNUSED(ignored)) {
    const Search *search = &self->search;
    if (!is_begun(search))
        return NULL;
    return Py_BuildValue("LL", (long long)search->store.infosets[0].edges,
                         (long long)search->added);
}

static PyObject *listed_infosets(const Store *store) {
    PyObject *list = PyList_New(store->infoset_count);
    for (int64_t i = 0; list && i < store->infoset_count; i++) {
        const InfoSet *infoset = &store->infosets[i];
        PyObject *pair = Py_BuildValue("LL", (long long)infoset->parent, (long long)infoset->key);
        if (!pair)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, pair);
    }
    return list;
}

static PyObject *listed_edges(const Store *store) {
    PyObject *list = PyList_New(store->edge_count);
    for (int64_t i = 0; list && i < store->edge_count; i++) {
        const Edge *edge = &store->edges[i];
        PyObject *fields = Py_BuildValue(
            "LLLLLLddd", (long long)edge->infoset, (long long)edge->key, (long long)edge->action,
            (long long)edge->seat, (long long)edge->visits, (long long)edge->available,
            edge->regret, edge->standardized, edge->total);
        if (!fields)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, fields);
    }
    return list;
}

/* content(): the information sets with their parents and keys, the edges, and the number of each
   seat's topmost information set. */
static PyObject *tree_content(Tree *self, PyObject *Py_UNUSED(ignored)) {
    const Search *search = &self->search;
    PyObject *roots = PyList_New(search->observed.seats);
    for (int64_t seat = 0; roots && seat < search->observed.seats; seat++)
        PyList_SET_ITEM(roots, seat, PyLong_FromLongLong(search->roots[seat]));
    return Py_BuildValue("NNN", listed_infosets(&search->store), listed_edges(&search->store),
                         roots);
}

static PyObject *floats(const double *values) {
    PyObject *list = PyList_New(SEATS);
    for (int64_t i = 0; list && i < SEATS; i++)
        PyList_SET_ITEM(list, i, PyFloat_FromDouble(values[i]));
    return list;
}

/* averages(): the sum and the number of the margins, and the number, the means and the variances
   of the values. */
static PyObject *tree_averages(Tree *self, PyObject *Py_UNUSED(ignored)) {
    const Values *values = &self->search.values;
    const Standardizer *running = &self->search.standardizer;
    return Py_BuildValue("dLdNN", values->sum, (long long)values->count, running->count,
                         floats(running->means), floats(running->variances));
}

/* use_averages(...): go on with averages, in the form of `averages`. */
static PyObject *tree_use_averages(Tree *self, PyObject *arguments) {
    Values *values = &self->search.values;
    Standardizer *running = &self->search.standardizer;
    PyObject *means, *variances;
    long long count;
    if (!PyArg_ParseTuple(arguments, "dLdO!O!", &values->sum, &count, &running->count,
                          &PyList_Type, &means, &PyList_Type, &variances))
        return NULL;
    values->count = count;
    for (Py_ssize_t i = 0; i < SEATS && i < PyList_GET_SIZE(means); i++) {
        running->means[i] = PyFloat_AsDouble(PyList_GET_ITEM(means, i));
        if (i < PyList_GET_SIZE(variances))
            running->variances[i] = PyFloat_AsDouble(PyList_GET_ITEM(variances, i));
    }
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef TREE_METHODS[] = {
    {"reset", (PyCFunction)tree_reset, METH_VARARGS, "Begin a new tree."},
    {"use_plan", (PyCFunction)tree_use_plan, METH_VARARGS, "Take what faces are drawn by."},
    {"tries", (PyCFunction)tree_tries, METH_NOARGS, "Return the numbers of drawn faces."},
    {"search", (PyCFunction)tree_search, METH_O, "Search determinizations."},
    {"iterate", (PyCFunction)tree_iterate, METH_VARARGS, "Search one determinization."},
    {"advance", (PyCFunction)tree_advance, METH_VARARGS, "Move the root along steps."},
    {"edge", (PyCFunction)tree_edge, METH_O, "Return the visits and total of an edge."},
    {"size", (PyCFunction)tree_size, METH_NOARGS, "Return the numbers of edges and sets."},
    {"content", (PyCFunction)tree_content, METH_NOARGS, "Return information sets and edges."},
    {"averages", (PyCFunction)tree_averages, METH_NOARGS, "Return the running averages."},
    {"use_averages", (PyCFunction)tree_use_averages, METH_VARARGS, "Set the averages."},
    {NULL},
};

static PyTypeObject TreeType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "cardhub_rules.Tree",
    .tp_basicsize = sizeof(Tree),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)tree_init,
    .tp_dealloc = (destructor)tree_dealloc,
    .tp_methods = TREE_METHODS,
};

/* Add the search tree to a new module. */
static PyObject *with_tree(PyObject *module) {
    if (!module || PyType_Ready(&TreeType) < 0
        || PyModule_AddObjectRef(module, "Tree", (PyObject *)&TreeType) < 0)
        return NULL;
    return module;
}
