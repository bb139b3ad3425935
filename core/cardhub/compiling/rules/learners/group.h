/* Tables of learners at which games follow one another, as `TableGroup` steps them in Python.

   A step plays all tables and fills their rows of the arrays. What C cannot carry out as Python
   would gives the whole step back: the records of the tables say how Python repeats their games. */

/* Instead of an action, for a table that stays as it is. */
#define WAIT (-2)

#define ROW(group, array, type, table, width) ((type *)(group)->arrays[array].buf + (table) * (width))
#define CELL(group, array, type, table) (*ROW(group, array, type, table, 1))

static void apply_step(const Turn *turn, int64_t action) {
    State *state = turn->task.state;
    if (state->seat >= 0)
        turn->group->seatings[turn->table].last_seat = state->seat;
    true_apply(state, action);
    if (state->shuffles)
        resolve_shuffles(state, chance_of(turn));
}

static void pass_chance(const Turn *turn) {
    State *state = turn->task.state;
    while (state->seat == CHANCE) {
        heap_used = 0;
        apply_step(turn, chance_action(state, chance_of(turn)));
    }
}

static void do_begin(Task *task) {
    Turn *turn = (Turn *)task;
    Group *group = turn->group;
    Seating *seating = &group->seatings[turn->table];
    State *state = &group->states[turn->table];
    memcpy(state, &group->initial, sizeof(State));
    int64_t *faces = state->face.items;
    deal_faces(turn, faces);
    if (!group->is_dealt) {
        for (int64_t token = 0; token < group->plan.pack.count; token++)
            state->back.items[token] = BACK_OF[number_in(faces[token], FACES)];
        true_deal(state);
        end_deal(state);
    }
    seating->games++;
    seating->began_in = group->steps;
    seating->has_chance = 0;
    seating->acts = seating->last_seat = seating->record.count = 0;
    pass_chance(turn);
    /* Python counts the games in which nobody decides. */
    require(state->seat >= 0);
}

/* The lowest legal action with a learner's number. */
static int64_t meant_action(const Seating *seating, int64_t number) {
    int64_t meant = INT64_MAX;
    for (int64_t i = 0; i < seating->legal_count; i++)
        if (seating->numbers[i] == number)
            meant = smaller(meant, seating->legal[i]);
    require(meant != INT64_MAX);
    return meant;
}

static void do_act(Task *task) {
    Turn *turn = (Turn *)task;
    Group *group = turn->group;
    Seating *seating = &group->seatings[turn->table];
    State *state = &group->states[turn->table];
    int64_t action = meant_action(seating, CELL(group, ACTIONS, int64_t, turn->table));
    require(append_to(&seating->record, action) == 0);
    seating->acted_in = group->steps;
    seating->acts++;
    apply_step(turn, action);
    pass_chance(turn);
    if (state->seat != OVER && seating->acts != group->most_actions)
        return;
    CELL(group, state->seat == OVER ? TERMINATED : TRUNCATED, uint8_t, turn->table) = 1;
    if (state->seat != OVER)
        return;
    List *scores = true_scores(state);
    require(scores->count == state->seats);
    memcpy(ROW(group, FINAL_SCORES, int64_t, turn->table, state->seats), scores->items,
           state->seats * sizeof(int64_t));
}

/* Choices of other seats in a round that goes on are secrets. */
typedef struct {
    int64_t seat;
    LIST(SEATS) choices;
} Choices;

static void hide_choices(State *state, int64_t viewer, Choices *hidden) {
    (void)state, (void)viewer, (void)hidden;
#ifdef HAS_CHOICES
    hidden->seat = state->seat;
    memcpy(&hidden->choices, &state->CHOICES, sizeof(hidden->choices));
    List *choices = AS_LIST(state->CHOICES);
    if (!choices->count || viewer == EVERYTHING)
        return;
    for (int64_t seat = 0; seat < choices->count; seat++)
        if (seat != viewer && choices->items[seat] >= 0)
            choices->items[seat] = OPEN;
    state->seat = choices->items[viewer] == OPEN ? viewer : place_in(choices, OPEN);
#endif
}

static void show_choices(State *state, const Choices *hidden) {
    (void)state, (void)hidden;
#ifdef HAS_CHOICES
    state->seat = hidden->seat;
    memcpy(&state->CHOICES, &hidden->choices, sizeof(hidden->choices));
#endif
}

static void do_encode(Task *task) { encode_view(((Turn *)task)->view); }

static void do_number(Task *task) {
    Turn *turn = (Turn *)task;
    Seating *seating = &turn->group->seatings[turn->table];
    number_actions(turn->view, seating->legal, seating->legal_count, seating->numbers);
}

/* Encode a state for a viewer, with the scores if no face hides them. */
static Reason encode_for(Turn *turn, int64_t viewer, float *slots) {
    State *state = turn->task.state;
    Choices hidden;
    LIST(SEATS) scores = {0, SEATS, {0}};
    *turn->view = (View){.plan = &turn->group->plan, .state = state, .viewer = viewer,
                         .scores = AS_LIST(scores), .slots = slots};
    state->viewer = viewer == EVERYTHING ? 0 : INT64_C(1) << viewer;
    int has_secret = viewer != EVERYTHING && has_choice(state);
    if (has_secret)
        hide_choices(state, viewer, &hidden);
    Reason reason = attempt(viewer == EVERYTHING ? do_scores : do_seen_scores, &turn->task);
    if (!reason && turn->task.list->count > SEATS)
        reason = BEYOND_PYTHON;
    if (!reason)
        assign(AS_LIST(scores), turn->task.list);
    if (!has_secret)
        hide_choices(state, viewer, &hidden);
    if (!reason || (reason == HIDDEN_FACE && viewer != EVERYTHING))
        reason = attempt(do_encode, &turn->task);
    show_choices(state, &hidden);
    return reason;
}

/* Find the legal actions of the seat to act, who sees no hidden face. */
static Reason find_legal(Turn *turn) {
    State *state = turn->task.state;
    Seating *seating = &turn->group->seatings[turn->table];
    Choices hidden;
    state->viewer = INT64_C(1) << state->seat;
    hide_choices(state, state->seat, &hidden);
    Reason reason = attempt(do_seen_legal, &turn->task);
    show_choices(state, &hidden);
    if (reason)
        return reason;
    const List *legal = turn->task.list;
    if (legal->count > turn->group->most_legal)
        return NO_ROOM;
    seating->legal_count = legal->count;
    memcpy(seating->legal, legal->items, legal->count * sizeof(int64_t));
    return NOTHING;
}

/* Fill the rows of a table for the seat to act. */
static Reason fill_rows(Turn *turn) {
    Group *group = turn->group;
    Seating *seating = &group->seatings[turn->table];
    const int64_t slots = NUMBER(&group->plan, SLOTS), count = NUMBER(&group->plan, LEARNER_ACTIONS);
    int64_t seat = turn->task.state->seat, table = turn->table;
    Reason reason = find_legal(turn);
    if (!reason)
        reason = encode_for(turn, seat, ROW(group, OBSERVATIONS, float, table, slots));
    if (!reason)
        reason = attempt(do_number, &turn->task);
    if (reason)
        return reason;
    int8_t *mask = ROW(group, MASKS, int8_t, table, count);
    memset(mask, 0, count);
    for (int64_t i = 0; i < seating->legal_count; i++)
        mask[seating->numbers[i]] = 1;
    CELL(group, SEATS_TO_ACT, int64_t, table) = seat;
    CELL(group, SEEDS, int64_t, table) = seating->seed;
    if (!group->arrays[TRUE_STATES].len)
        return NOTHING;
    return encode_for(turn, EVERYTHING, ROW(group, TRUE_STATES, float, table, slots));
}

/* Begin the next game, after the last observation of the ended one. */
static Reason follow_game(Turn *turn) {
    Group *group = turn->group;
    Seating *seating = &group->seatings[turn->table];
    Reason reason = NOTHING;
    if (group->arrays[FINAL_OBSERVATIONS].len) {
        const int64_t slots = NUMBER(&group->plan, SLOTS);
        float *row = ROW(group, FINAL_OBSERVATIONS, float, turn->table, slots);
        reason = encode_for(turn, seating->last_seat, row);
    }
    Growing ended = seating->record;
    seating->record = seating->ended_record;
    seating->ended_record = ended;
    seating->ended_in = group->steps;
    return reason ? reason : attempt(do_begin, &turn->task);
}

static Reason step_table(Turn *turn) {
    Group *group = turn->group;
    Reason reason = attempt(do_act, &turn->task);
    if (!reason && (CELL(group, TERMINATED, uint8_t, turn->table)
                    || CELL(group, TRUNCATED, uint8_t, turn->table)))
        reason = follow_game(turn);
    return reason ? reason : fill_rows(turn);
}

static Reason reset_table(Turn *turn, int64_t game) {
    Group *group = turn->group;
    Seating *seating = &group->seatings[turn->table];
    char text[2 * SEED_TEXT];
    int length = snprintf(text, sizeof(text), "%s table %lld", group->seed,
                          (long long)(group->first + turn->table));
    if (length > MOST_TEXT)
        return BEYOND_PYTHON;
    if (!group->is_fast)
        seed_by_text(&seating->seeds, text, length);
    skip_games(turn, game);
    seating->next = LANES;
    seating->acted_in = seating->ended_in = seating->began_in = 0;
    Reason reason = attempt(do_begin, &turn->task);
    return reason ? reason : fill_rows(turn);
}

/* Play all tables, or begin at all of them with a game; returns whether that was possible. */
static PyObject *play_all(Group *group, int is_reset, int64_t game) {
    View view;
    group->steps++;
    memset(group->arrays[TERMINATED].buf, 0, group->tables);
    memset(group->arrays[TRUNCATED].buf, 0, group->tables);
    for (int64_t table = 0; table < group->tables; table++) {
        if (!is_reset && CELL(group, ACTIONS, int64_t, table) == WAIT)
            continue;
        Turn turn = {.task = {.state = &group->states[table]}, .group = group, .table = table,
                     .view = &view};
        Reason reason = is_reset ? reset_table(&turn, game) : step_table(&turn);
        group->is_valid = !reason;
        if (reason)
            Py_RETURN_FALSE;
    }
    Py_RETURN_TRUE;
}

/* reset(seed, game) */
static PyObject *group_reset(Group *self, PyObject *arguments) {
    const char *seed;
    long long game;
    if (!PyArg_ParseTuple(arguments, "sL", &seed, &game))
        return NULL;
    self->is_valid = strlen(seed) <= MOST_TEXT - (self->is_fast ? FAST_TEXT : 0);
    if (!self->is_valid)
        Py_RETURN_FALSE;
    strcpy(self->seed, seed);
    return play_all(self, 1, game);
}

static PyObject *group_step(Group *self, PyObject *Py_UNUSED(ignored)) {
    if (self->is_valid)
        return play_all(self, 0, 0);
    Py_RETURN_FALSE;
}

/* The number of games of a table, and the actions of the last one, before the present step. */
static PyObject *group_record(Group *self, PyObject *number) {
    int64_t table;
    if (read_number(number, &table) < 0)
        return NULL;
    if (table < 0 || table >= self->tables) {
        PyErr_SetString(PyExc_IndexError, "there is no such table");
        return NULL;
    }
    const Seating *seating = &self->seatings[table];
    int has_ended = seating->ended_in == self->steps;
    const Growing *record = has_ended ? &seating->ended_record : &seating->record;
    int64_t count = record->count - (seating->acted_in == self->steps);
    PyObject *actions = PyList_New(count);
    for (int64_t i = 0; actions && i < count; i++) {
        PyObject *action = PyLong_FromLongLong(record->items[i]);
        if (!action)
            Py_CLEAR(actions);
        else
            PyList_SET_ITEM(actions, i, action);
    }
    /* A game that could not begin does not count. */
    int64_t games = seating->games;
    if (has_ended && seating->began_in == self->steps)
        games--;
    return actions ? Py_BuildValue("LN", (long long)games, actions) : NULL;
}

/* Take the tables of a plan from the bytes of a dictionary. */
static int read_plan(Group *self, PyObject *tables) {
    for (int i = 0; i < PLAN_TABLES; i++) {
        const PlanInfo *info = &PLAN_INFO[i];
        PyObject *bytes = PyDict_GetItemString(tables, info->name);
        if (!bytes || !PyBytes_Check(bytes) || PyBytes_GET_SIZE(bytes) % info->item) {
            PyErr_Format(PyExc_ValueError, "the plan has no table of %s", info->name);
            return -1;
        }
        PlanTable *table = (PlanTable *)((char *)&self->plan + info->offset);
        table->items = PyBytes_AS_STRING(bytes);
        table->count = PyBytes_GET_SIZE(bytes) / info->item;
    }
    if (self->plan.single.count != SINGLE_NUMBERS || self->plan.pack.count > TOKENS) {
        PyErr_SetString(PyExc_ValueError, "the plan is for other rules");
        return -1;
    }
    self->tables_of_plan = Py_NewRef(tables);
    return 0;
}

static int make_tables(Group *self) {
    self->states = calloc(self->tables, sizeof(State));
    self->seatings = calloc(self->tables, sizeof(Seating));
    self->most_legal = self->plan.starts.count;
    for (int64_t i = 0; self->seatings && i < self->tables; i++) {
        Seating *seating = &self->seatings[i];
        seating->legal = calloc(2 * self->most_legal, sizeof(int64_t));
        if (!seating->legal)
            break;
        seating->numbers = seating->legal + self->most_legal;
    }
    if (self->states && self->seatings && self->seatings[self->tables - 1].legal)
        return 0;
    PyErr_NoMemory();
    return -1;
}

/* Take the arrays, which must have a row for each table; the last two may have none. */
static int read_arrays(Group *self, PyObject *arrays) {
    const int64_t slots = NUMBER(&self->plan, SLOTS) * sizeof(float);
    const int64_t widths[GROUP_ARRAYS] = {
        [OBSERVATIONS] = slots, [MASKS] = NUMBER(&self->plan, LEARNER_ACTIONS),
        [SEATS_TO_ACT] = 8, [SEEDS] = 8, [ACTIONS] = 8, [TERMINATED] = 1, [TRUNCATED] = 1,
        [FINAL_SCORES] = 8 * self->initial.seats, [FINAL_OBSERVATIONS] = slots,
        [TRUE_STATES] = slots,
    };
    int is_fit = PyTuple_GET_SIZE(arrays) == GROUP_ARRAYS;
    for (int i = 0; i < GROUP_ARRAYS && is_fit; i++)
        if (PyObject_GetBuffer(PyTuple_GET_ITEM(arrays, i), &self->arrays[i],
                               PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) < 0)
            return -1;
    self->tables = self->arrays[TERMINATED].len;
    for (int i = 0; i < GROUP_ARRAYS && is_fit; i++) {
        int may_lack = i == FINAL_OBSERVATIONS || i == TRUE_STATES;
        int64_t size = self->arrays[i].len;
        is_fit = size == self->tables * widths[i] || (may_lack && !size);
    }
    if (is_fit && self->tables)
        return 0;
    self->tables = 0;
    PyErr_SetString(PyExc_ValueError, "the arrays do not have a row for each table");
    return -1;
}

/* Group(plan, state, is_dealt, arrays, first, most_actions, is_fast); 0 for no limit. */
static int group_init(Group *self, PyObject *arguments, PyObject *Py_UNUSED(keywords)) {
    PyObject *plan, *state, *arrays;
    long long first, most_actions;
    if (self->tables_of_plan) {
        PyErr_SetString(PyExc_TypeError, "a group has its tables already");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "O!OpO!LLp", &PyDict_Type, &plan, &state, &self->is_dealt,
                          &PyTuple_Type, &arrays, &first, &most_actions, &self->is_fast))
        return -1;
    self->first = first;
    self->most_actions = most_actions;
    prepare(&self->initial);
    if (read_plan(self, plan) < 0 || read_state(state, &self->initial, 1) < 0
        || read_arrays(self, arrays) < 0)
        return -1;
    return make_tables(self);
}

static void group_dealloc(Group *self) {
    for (int64_t i = 0; self->seatings && i < self->tables; i++) {
        free(self->seatings[i].legal);
        free(self->seatings[i].record.items);
        free(self->seatings[i].ended_record.items);
    }
    for (int i = 0; i < GROUP_ARRAYS; i++)
        if (self->arrays[i].obj)
            PyBuffer_Release(&self->arrays[i]);
    free(self->seatings);
    free(self->states);
    Py_XDECREF(self->tables_of_plan);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef GROUP_METHODS[] = {
    {"reset", (PyCFunction)group_reset, METH_VARARGS, "Begin new games at all tables."},
    {"step", (PyCFunction)group_step, METH_NOARGS, "Apply the actions in the arrays."},
    {"record", (PyCFunction)group_record, METH_O, "Return the games of a table, and the actions of the last one."},
    {NULL},
};

static PyTypeObject GroupType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "cardhub_rules.Group",
    .tp_basicsize = sizeof(Group),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)group_init,
    .tp_dealloc = (destructor)group_dealloc,
    .tp_methods = GROUP_METHODS,
};

/* Return the words of a generator seeded by a text, as getstate() has them. */
static PyObject *seeded_words(PyObject *Py_UNUSED(module), PyObject *text) {
    Py_ssize_t length;
    const char *seed = PyUnicode_AsUTF8AndSize(text, &length);
    if (!seed)
        return NULL;
    if (length > MOST_TEXT) {
        PyErr_SetString(PyExc_ValueError, "the text is too long");
        return NULL;
    }
    Generator generator;
    seed_by_text(&generator, seed, (int)length);
    return words_of(&generator);
}

static PyMethodDef GROUP_FUNCTIONS[] = {
    {"seeded_words", seeded_words, METH_O, "Return the words that a text seeds."},
    {NULL},
};

/* Add the tables of learners to a new module. */
static PyObject *with_groups(PyObject *module) {
    if (!module || PyType_Ready(&GroupType) < 0
        || PyModule_AddFunctions(module, GROUP_FUNCTIONS) < 0
        || PyModule_AddObjectRef(module, "Group", (PyObject *)&GroupType) < 0)
        return NULL;
    PyObject *names = PyTuple_New(FIELDS);
    for (int i = 0; names && i < FIELDS; i++)
        PyTuple_SET_ITEM(names, i, Py_NewRef(field_names[i]));
    int is_added = names && PyModule_AddObjectRef(module, "fields", names) == 0
        && PyModule_AddIntConstant(module, "has_deal", HAS_DEAL) == 0;
    Py_XDECREF(names);
    return is_added ? module : NULL;
}
