/* The module of a game's rules for Python: positions, and playouts.

   It stands after the rules, which the game's file includes twice: `true_...` read every face, and
   `seen_...` only those that the viewer has seen. */

static PyObject *hidden_face_error, *given_back_error;
static const char *const REASONS[] = {
    [TOO_LARGE] = "a number has more than 64 bits",
    [NO_SUCH_INDEX] = "an index is negative or too large",
    [NO_ROOM] = "a list is full",
    [NO_SUCH_VALUE] = "a list does not have a value",
    [BEYOND_PYTHON] = "Python has to carry it out",
    [TOO_LONG] = "the game is too long",
};

static PyObject *raise_reason(Reason reason) {
    if (reason == HIDDEN_FACE) {
        PyObject *text = PyUnicode_FromFormat(
            "the face of token %lld is hidden from this seat", (long long)hidden_token);
        PyObject *error = text ? PyObject_CallFunction(hidden_face_error, "NL", text,
                                                       (long long)hidden_token) : NULL;
        if (error)
            PyErr_SetObject(hidden_face_error, error);
        Py_XDECREF(error);
    } else if (reason != NOTHING && !PyErr_Occurred()) {
        PyErr_SetString(given_back_error, REASONS[reason]);
    }
    return NULL;
}

/* A rule that may give up. */
typedef struct {
    State *state;
    Generator *generator;
    int64_t action, depth, is_alone, evaluates_end;
    int64_t scores[SEATS];
    double evaluations[SEATS];
    List *list;
} Task;

static Reason attempt(void (*rule)(Task *), Task *task) {
    char here;
    stack_base = &here;
    heap_used = 0;
    renew_memo();
    if (setjmp(way_back))
        return reason_given;
    rule(task);
    return NOTHING;
}

static void do_legal(Task *task) { task->list = true_legal(task->state); }
static void do_seen_legal(Task *task) { task->list = seen_legal(task->state); }
static void do_scores(Task *task) { task->list = true_scores(task->state); }
static void do_seen_scores(Task *task) { task->list = seen_scores(task->state); }
static void do_apply(Task *task) { true_apply(task->state, task->action); }

#define MOST_ACTIONS 100000

static void add_scores(Task *task, const List *scores) {
    require(scores->count == task->state->seats);
    for (int64_t seat = 0; seat < scores->count; seat++)
        task->scores[seat] = sum_of(task->scores[seat], scores->items[seat]);
}

static void add_evaluations(Task *task, const List *values) {
    require(values->count == task->state->seats);
    for (int64_t seat = 0; seat < values->count; seat++)
        task->evaluations[seat] += EVALUATE_ITEM(values->items[seat]);
}

static int64_t random_action(State *state, Generator *generator) {
    List *legal = true_legal(state);
    return item(legal, random_below(generator, legal->count));
}

/* A place drawn by floats as weights, as by `rng.choices`. */
static int64_t weighted_place(const List *weights, Generator *generator) {
    double total = 0;
    for (int32_t i = 0; i < weights->count; i++) {
        require(float_of(weights->items[i]) >= 0);
        total += float_of(weights->items[i]);
    }
    require(total > 0 && isfinite(total));
    double drawn = next_random(generator) * total, sum = float_of(weights->items[0]);
    int32_t place = 0;
    while (place < weights->count - 1 && !(drawn < sum)) {
        place++;
        sum += float_of(weights->items[place]);
    }
    return place;
}

/* As `cardhub.model.hidden.chance.sample_action`. */
static int64_t chance_action(State *state, Generator *generator) {
    if (!HAS_WEIGHTS)
        return random_action(state, generator);
    const List *legal = true_legal(state), *weights = true_chance_weights(state);
    require(weights->count > 0 && weights->count == legal->count);
    List *odds = new_list(weights->count);
    for (int32_t i = 0; i < weights->count; i++)
        append(odds, bits_of(CHANCE_WEIGHTS_ITEM(weights->items[i])));
    return legal->items[weighted_place(odds, generator)];
}

/* What the game's heuristics would do. */
static int64_t preferred_action(State *state, Generator *generator) {
    return HAS_ACTION ? true_playout_action(state) : random_action(state, generator);
}

static int64_t playout_action(State *state, Generator *generator) {
    if (state->seat == CHANCE)
        return chance_action(state, generator);
    if (AMOUNT_GROUPS && !HAS_ACTION)
        return grouped_action(state, generator);
    return preferred_action(state, generator);
}

/* Play a state to the end, or to the depth, as `Playout.play` does. */
static void do_playout(Task *task) {
    State *state = task->state;
    Generator *generator = task->generator;
    int64_t turns = 0, seat = state->seat;
    drawing = generator;
    for (int64_t actions = 0; seat != OVER; actions++) {
        if (actions == MOST_ACTIONS)
            give_back(TOO_LONG);
        heap_used = 0;
        renew_memo();
        true_apply(state, playout_action(state, generator));
        if (state->shuffles)
            resolve_shuffles(state, generator);
        if (state->seat == seat && !task->is_alone)
            continue;
        seat = state->seat;
        turns++;
        if (turns == task->depth || true_ends_playout(state))
            break;
    }
    heap_used = 0;
    if (seat == OVER)
        add_scores(task, true_scores(state));
    if (seat != OVER || task->evaluates_end)
        add_evaluations(task, HAS_EVALUATION ? true_evaluate(state) : true_scores(state));
}

/* From and to the objects of Python. */

static int read_number(PyObject *value, int64_t *number) {
    if (!PyLong_Check(value)) {
        PyErr_SetString(given_back_error, "a field has a value of another type");
        return -1;
    }
    int overflow;
    *number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow || *number == NONE) {
        PyErr_SetString(given_back_error, REASONS[TOO_LARGE]);
        return -1;
    }
    return 0;
}

static int read_list(PyObject *values, List *list) {
    if (!PyList_CheckExact(values) && !PyTuple_CheckExact(values)) {
        PyErr_SetString(given_back_error, "a field has a value of another type");
        return -1;
    }
    Py_ssize_t count = PySequence_Fast_GET_SIZE(values);
    if (count > list->room) {
        PyErr_SetString(given_back_error, REASONS[NO_ROOM]);
        return -1;
    }
    PyObject **items = PySequence_Fast_ITEMS(values);
    list->count = (int32_t)count;
    for (Py_ssize_t i = 0; i < count; i++)
        if (read_number(items[i], &list->items[i]) < 0)
            return -1;
    return 0;
}

static int read_rows(PyObject *rows, State *state, const FieldInfo *field) {
    int64_t count = rows_of(state, field);
    if (!PyList_CheckExact(rows) || PyList_GET_SIZE(rows) != count) {
        PyErr_SetString(given_back_error, "a field has a value of another type");
        return -1;
    }
    for (int64_t i = 0; i < count; i++)
        if (read_list(PyList_GET_ITEM(rows, i), row_at(state, field, i)) < 0)
            return -1;
    return 0;
}

/* The number of a text of an option. */
static int text_number(const char *text, int64_t *number) {
    for (int i = 0; text && i < TEXT_COUNT; i++) {
        if (!strcmp(text, TEXTS[i])) {
            *number = i;
            return 0;
        }
    }
    if (text)
        PyErr_SetString(given_back_error, "an option has an unknown text");
    return -1;
}

static PyObject *field_names[FIELDS];
static PyObject *settings_name, *shuffles_name, *answers_name, *recorded_name;
/* The settings that were read last: all states of a game share them. */
static PyObject *known_settings;
static int64_t known_options[OPTIONS + 1];

static int read_options(PyObject *state, State *into) {
    PyObject *settings = PyObject_GetAttr(state, settings_name);
    if (!settings)
        return -1;
    if (settings != known_settings) {
        /* This may call Python, and so other threads: they must not see a part of the options. */
        int64_t options[OPTIONS + 1] = {0};
        for (int i = 0; i < OPTIONS; i++) {
            PyObject *value = PyMapping_GetItemString(settings, OPTION_INFO[i].name);
            int is_read = !value ? -1
                : PyUnicode_Check(value) ? text_number(PyUnicode_AsUTF8(value), &options[i])
                : read_number(value, &options[i]);
            Py_XDECREF(value);
            if (is_read < 0) {
                Py_DECREF(settings);
                return -1;
            }
        }
        memcpy(known_options, options, sizeof(known_options));
        Py_XSETREF(known_settings, Py_NewRef(settings));
    }
    memcpy(into->options, known_options, sizeof(into->options));
    Py_DECREF(settings);
    return 0;
}

/* The number of items of an attribute; -1 after an error. */
static Py_ssize_t size_of(PyObject *state, PyObject *name) {
    PyObject *value = PyObject_GetAttr(state, name);
    Py_ssize_t size = value ? PyObject_Size(value) : -1;
    Py_XDECREF(value);
    return size;
}

/* Refuse what a state may hold only between the steps of a game. */
static int check_moment(PyObject *state) {
    Py_ssize_t shuffles = HAS_SHUFFLES ? size_of(state, shuffles_name) : 0;
    Py_ssize_t recorded = HAS_ANSWERS ? size_of(state, recorded_name) : 0;
    Py_ssize_t answers = recorded > 0 ? size_of(state, answers_name) : 0;
    if (shuffles < 0 || recorded < 0 || answers < 0)
        return -1;
    if (!shuffles && recorded <= answers)
        return 0;
    PyErr_SetString(given_back_error, "shuffles or recorded answers are to come");
    return -1;
}

/* Set how much room the lists of a state have, and how many items if they are not read. */
static void prepare(State *state) {
    state->seats = SEATS;
    state->viewer = state->shuffles = 0;
    for (int i = 0; i < FIELDS; i++) {
        const FieldInfo *field = &FIELD_INFO[i];
        if (field->kind == SCALAR)
            continue;
        for (int64_t row = 0; row < (field->kind == ROWS ? rows_of(state, field) : 1); row++) {
            row_at(state, field, row)->room = (int32_t)field->room;
            row_at(state, field, row)->count = 0;
        }
    }
    state->back.count = state->seen.count = TOKENS;
    for (int i = 0; i < MOST_SHUFFLES; i++)
        state->shuffled[i].room = TOKENS;
}

static int read_field(PyObject *state, State *into, int number) {
    const FieldInfo *field = &FIELD_INFO[number];
    PyObject *value = PyObject_GetAttr(state, field_names[number]);
    if (!value)
        return -1;
    int is_read = field->kind == SCALAR ? read_number(value, scalar_at(into, field))
        : field->kind == ROWS ? read_rows(value, into, field)
        : read_list(value, row_at(into, field, 0));
    Py_DECREF(value);
    return is_read;
}

/* Read a state into a struct that has been prepared; all of it, or what the rules read. */
static int read_state(PyObject *state, State *into, int is_whole) {
    if (check_moment(state) < 0 || (OPTIONS && read_options(state, into) < 0))
        return -1;
    for (int i = 0; i < FIELDS; i++) {
        if (!is_whole && !FIELD_INFO[i].is_read)
            continue;
        if (read_field(state, into, i) < 0)
            return -1;
        if (i == 0 && (into->seats < 1 || into->seats > SEATS)) {
            PyErr_SetString(given_back_error, "the rules were built for fewer seats");
            return -1;
        }
    }
    into->everybody = (INT64_C(2) << into->seats) - 1;
    return 0;
}

static PyObject *as_python_list(const List *list) {
    PyObject *values = PyList_New(list->count);
    for (int32_t i = 0; values && i < list->count; i++) {
        PyObject *value = PyLong_FromLongLong(list->items[i]);
        if (!value)
            Py_CLEAR(values);
        else
            PyList_SET_ITEM(values, i, value);
    }
    return values;
}

static PyObject *field_value(State *state, const FieldInfo *field) {
    if (field->kind == SCALAR) {
        int64_t value = *scalar_at(state, field);
        return field->is_truth ? PyBool_FromLong(value != 0) : PyLong_FromLongLong(value);
    }
    if (field->kind == LINE) {
        PyObject *list = as_python_list(row_at(state, field, 0));
        if (!list || !field->is_tuple)
            return list;
        PyObject *tuple = PyList_AsTuple(list);
        Py_DECREF(list);
        return tuple;
    }
    PyObject *rows = PyList_New(0);
    for (int64_t i = 0; rows && i < rows_of(state, field); i++) {
        PyObject *row = as_python_list(row_at(state, field, i));
        if (!row || PyList_Append(rows, row) < 0)
            Py_CLEAR(rows);
        Py_XDECREF(row);
    }
    return rows;
}

/* A position: a copy of a state, to which actions are applied. */

typedef struct {
    PyObject_HEAD
    State state;
} Position;

static int position_init(Position *self, PyObject *arguments, PyObject *Py_UNUSED(keywords)) {
    PyObject *state;
    if (!PyArg_ParseTuple(arguments, "O", &state))
        return -1;
    prepare(&self->state);
    return read_state(state, &self->state, 1);
}

static PyObject *position_list(
    Position *self, PyObject *viewer, void (*all)(Task *), void (*seen)(Task *)
) {
    Task task = {.state = &self->state};
    if (viewer != Py_None) {
        int64_t seat;
        if (read_number(viewer, &seat) < 0)
            return NULL;
        self->state.viewer = seat >= 0 && seat < SECRET ? INT64_C(1) << seat : 0;
        /* What others have chosen in a round is a secret as well. */
        if (has_choice(&self->state))
            return raise_reason(BEYOND_PYTHON);
    }
    Reason reason = attempt(viewer == Py_None ? all : seen, &task);
    return reason ? raise_reason(reason) : as_python_list(task.list);
}

static PyObject *position_legal(Position *self, PyObject *viewer) {
    return position_list(self, viewer, do_legal, do_seen_legal);
}

static PyObject *position_scores(Position *self, PyObject *viewer) {
    return position_list(self, viewer, do_scores, do_seen_scores);
}

/* Random.getstate() costs much more than an action, so a generator is checked by its type only. */
static PyObject *random_type;

static Generator *checked_generator(PyObject *random) {
    if ((PyObject *)Py_TYPE(random) == random_type)
        return generator_of(random);
    PyErr_SetString(given_back_error, "the generator is of another type than random.Random");
    return NULL;
}

static PyObject *position_apply(Position *self, PyObject *arguments) {
    PyObject *random;
    long long action;
    if (!PyArg_ParseTuple(arguments, "LO", &action, &random))
        return NULL;
    Generator *generator = checked_generator(random);
    if (!generator)
        return NULL;
    State before = self->state;
    Task task = {.state = &self->state, .action = action};
    Reason reason = attempt(do_apply, &task);
    if (reason) {
        self->state = before;
        return raise_reason(reason);
    }
    resolve_shuffles(&self->state, generator);
    Py_RETURN_NONE;
}

static PyObject *position_fields(Position *self, PyObject *Py_UNUSED(ignored)) {
    PyObject *fields = PyDict_New();
    for (int i = 0; fields && i < FIELDS; i++) {
        PyObject *value = field_value(&self->state, &FIELD_INFO[i]);
        if (!value || PyDict_SetItem(fields, field_names[i], value) < 0)
            Py_CLEAR(fields);
        Py_XDECREF(value);
    }
    return fields;
}

static PyMethodDef POSITION_METHODS[] = {
    {"legal", (PyCFunction)position_legal, METH_O, "Return the legal actions; None sees all."},
    {"scores", (PyCFunction)position_scores, METH_O, "Return the scores; None sees all."},
    {"apply", (PyCFunction)position_apply, METH_VARARGS, "Apply an action and its shuffles."},
    {"fields", (PyCFunction)position_fields, METH_NOARGS, "Return the fields by their names."},
    {NULL},
};

static PyTypeObject PositionType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "cardhub_rules.Position",
    .tp_basicsize = sizeof(Position),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)position_init,
    .tp_methods = POSITION_METHODS,
};

/* Playouts. */

static State start, played;

/* Play copies of a state and add up the seats' values; returns why not all were played. */
static Reason add_playouts(Task *task, int64_t count) {
    for (int64_t number = 0; number < count; number++) {
        memcpy(&played, &start, sizeof(State));
        Reason reason = attempt(do_playout, task);
        if (reason)
            return reason;
    }
    return NOTHING;
}

/* Return the sums of the scores and evaluations, and whether the last game is over. */
static PyObject *outcome_of(const Task *task) {
    PyObject *scores = PyList_New(start.seats), *evaluations = PyList_New(start.seats);
    for (int64_t seat = 0; scores && evaluations && seat < start.seats; seat++) {
        PyObject *score = PyLong_FromLongLong(task->scores[seat]);
        PyObject *evaluation = PyFloat_FromDouble(task->evaluations[seat]);
        if (!score || !evaluation) {
            Py_XDECREF(score);
            Py_XDECREF(evaluation);
            Py_CLEAR(scores);
            break;
        }
        PyList_SET_ITEM(scores, seat, score);
        PyList_SET_ITEM(evaluations, seat, evaluation);
    }
    if (!scores || !evaluations) {
        Py_XDECREF(scores);
        Py_XDECREF(evaluations);
        return NULL;
    }
    return Py_BuildValue("NNO", scores, evaluations, task->state->seat == OVER ? Py_True : Py_False);
}

/* playouts(state, random, count, depth, evaluates_end) returns the outcome; None: given back, and
   nothing has changed. */
static PyObject *playouts(PyObject *Py_UNUSED(module), PyObject *const *given, Py_ssize_t number) {
    int64_t count, depth, evaluates_end;
    if (number != 5) {
        PyErr_SetString(PyExc_TypeError, "playouts(state, random, count, depth, evaluates_end)");
        return NULL;
    }
    Generator *generator = checked_generator(given[1]);
    if (!generator || read_number(given[2], &count) < 0 || read_number(given[3], &depth) < 0
        || read_number(given[4], &evaluates_end) < 0 || read_state(given[0], &start, 0) < 0) {
        if (!PyErr_ExceptionMatches(given_back_error))
            return NULL;
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    Generator before = *generator;
    Task task = {.state = &played, .generator = generator, .depth = depth,
                 .is_alone = start.seats == 1, .evaluates_end = evaluates_end};
    if (add_playouts(&task, count)) {
        *generator = before;
        Py_RETURN_NONE;
    }
    return outcome_of(&task);
}

/* Draw by the words of a generator, for the check at import. */
static PyObject *draw(PyObject *Py_UNUSED(module), PyObject *random) {
    Generator *generator = checked_generator(random);
    return generator ? PyFloat_FromDouble(next_random(generator)) : NULL;
}

/* Return the words as `getstate` has them. */
static PyObject *words_of(const Generator *generator) {
    PyObject *numbers = PyTuple_New(WORDS + 1);
    for (int i = 0; numbers && i < WORDS; i++)
        PyTuple_SET_ITEM(numbers, i, PyLong_FromUnsignedLong(generator->words[i]));
    if (numbers)
        PyTuple_SET_ITEM(numbers, WORDS, PyLong_FromLong(generator->index));
    return numbers;
}

static PyObject *words(PyObject *Py_UNUSED(module), PyObject *random) {
    Generator *generator = checked_generator(random);
    return generator ? words_of(generator) : NULL;
}

static PyMethodDef METHODS[] = {
    {"playouts", (PyCFunction)(void (*)(void))playouts, METH_FASTCALL, "Play copies of a state, and add up the scores."},
    {"draw", draw, METH_O, "Return generator.random()."},
    {"words", words, METH_O, "Return the words of a generator, as getstate() has them."},
    {NULL},
};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, .m_name = "cardhub_rules", .m_size = -1, .m_methods = METHODS,
};

static PyObject *imported(const char *module, const char *name) {
    PyObject *library = PyImport_ImportModule(module);
    PyObject *value = library ? PyObject_GetAttrString(library, name) : NULL;
    Py_XDECREF(library);
    return value;
}

static int fill_names(void) {
    for (int i = 0; i < FIELDS; i++)
        if (!(field_names[i] = PyUnicode_InternFromString(FIELD_INFO[i].name)))
            return -1;
    settings_name = PyUnicode_InternFromString("settings");
    shuffles_name = PyUnicode_InternFromString("pending_shuffles");
    answers_name = PyUnicode_InternFromString("answers");
    recorded_name = PyUnicode_InternFromString("recorded_answers");
    hidden_face_error = imported("cardhub.base.errors", "HiddenFaceError");
    random_type = imported("random", "Random");
    given_back_error = PyErr_NewException("cardhub_rules.GivenBackError", NULL, NULL);
    return settings_name && shuffles_name && answers_name && recorded_name && hidden_face_error
        && random_type && given_back_error ? 0 : -1;
}

/* The names of the game's heuristics that are in C. */
static PyObject *playout_methods(void) {
    static const char *const names[] = {"ends_playout", "evaluate", "playout_action"};
    static const int are_there[] = {HAS_END, HAS_EVALUATION, HAS_ACTION};
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < 3; i++) {
        PyObject *name = PyUnicode_FromString(names[i]);
        if (are_there[i] && (!name || PyList_Append(list, name) < 0))
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    PyObject *tuple = list ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}

static PyObject *new_module(void) {
    prepare(&start);
    PyObject *module = PyModule_Create(&MODULE);
    if (!module || fill_names() < 0 || PyType_Ready(&PositionType) < 0
        || PyModule_AddObjectRef(module, "Position", (PyObject *)&PositionType) < 0
        || PyModule_AddObjectRef(module, "GivenBackError", given_back_error) < 0
        || PyModule_AddObject(module, "playout_methods", playout_methods()) < 0
        || PyModule_AddStringConstant(module, "class_name", CLASS_NAME) < 0)
        return NULL;
    return module;
}
