/* Determinizations of one observation: its state, with faces for the cards that are not seen.

   A pool has tokens and as many faces, in any order of which each is equally likely. Where rules
   exclude faces, a counting table says how many of which faces each class of tokens gets. If the
   draws need more than that, Python draws the faces, and passes them. */

/* The numbers of a counting table as `CountingTable.numbers` has them, and the tokens of each
   class, in parts that end at `ends`. */
typedef struct {
    Growing numbers;
    int64_t classes, ends[TOKENS + 1], tokens[TOKENS];
} Table;

#define MOST_TABLES 16
/* How many faces are drawn in vain before Python looks. */
#define MOST_TRIES 20000
/* As in cardhub.bots.search.simulation. */
#define BURN_IN 50
#define MOST_REJECTED 1000

typedef struct {
    int64_t count;
    int64_t tokens[TOKENS], faces[TOKENS];
    int64_t pools, ends[TOKENS];
    int64_t tables;
    Table table[MOST_TABLES];
    int64_t is_tested;       /* whether the game decides if faces are plausible */
    int64_t drawn, accepted; /* how often it was asked, and agreed */
    int64_t is_weighted;     /* whether a likelihood decides, too */
    double top;              /* the greatest one so far */
    List *observed[OBSERVED_FIELDS + 1];
} Unseen;

typedef struct {
    double key;
    int64_t face;
} Lot;

/* Merge two sorted parts; equal keys stay in their order. */
static void merge_lots(const Lot *from, Lot *into, int64_t start, int64_t middle, int64_t end) {
    int64_t first = start, second = middle;
    for (int64_t place = start; place < end; place++) {
        int is_first = first < middle && (second == end || from[first].key <= from[second].key);
        into[place] = from[is_first ? first++ : second++];
    }
}

static Lot *sort_lots(Lot *lots, Lot *others, int64_t count) {
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t start = 0; start < count; start += 2 * width)
            merge_lots(lots, others, start, smaller(start + width, count),
                       smaller(start + 2 * width, count));
        Lot *sorted = others;
        others = lots;
        lots = sorted;
    }
    return lots;
}

/* Give tokens faces in a random order: they are sorted by random numbers. */
static void put_in_any_order(
    List *faces, const int64_t *tokens, const int64_t *drawn, int64_t count, Generator *generator
) {
    Lot lots[TOKENS], others[TOKENS];
    for (int64_t i = 0; i < count; i++)
        lots[i] = (Lot){next_random(generator), drawn[i]};
    const Lot *sorted = sort_lots(lots, others, count);
    for (int64_t i = 0; i < count; i++)
        faces->items[tokens[i]] = sorted[i].face;
}

static void put_in_class(
    const Table *table, int64_t number, List *faces, const List *drawn, Generator *generator
) {
    int64_t start = number ? table->ends[number - 1] : 0;
    require(number < table->classes && drawn->count == table->ends[number] - start);
    put_in_any_order(faces, table->tokens + start, drawn->items, drawn->count, generator);
}

static inline int64_t number_at(const Table *table, int64_t place) {
    return table->numbers.items[number_in(place, table->numbers.count)];
}

/* Move some faces to another list, each drawn from those that are left. */
static void take_faces(List *from, int64_t count, List *into, Generator *generator) {
    if (count == from->count) {
        extend(into, from);
        from->count = 0;
        return;
    }
    for (int64_t taken = 0; taken < count; taken++) {
        int64_t place = random_below(generator, from->count);
        append(into, item(from, place));
        set_item(from, place, from->items[from->count - 1]);
        from->count--;
    }
}

static List *new_lists(int64_t count) {
    List *lists = new_list(count);
    for (int64_t i = 0; i < count; i++)
        append(lists, ADDRESS(new_list(TOKENS)));
    return lists;
}

/* Take the faces of a class by one of an entry's choices; returns the next entry. */
static int64_t choose_faces(
    const Table *table, int64_t entry, const List *lists, List *into, Generator *generator
) {
    int64_t choices = number_at(table, entry), chosen = 0;
    require(choices > 0);
    if (choices > 1) {
        int64_t drawn = random_place(generator, number_at(table, entry + choices));
        while (number_at(table, entry + 1 + chosen) <= drawn)
            chosen++;
    }
    int64_t place = entry + 1 + choices + chosen * (1 + lists->count);
    for (int32_t i = 0; i < lists->count; i++)
        take_faces(LIST_AT(lists->items[i]), number_at(table, place + 1 + i), into, generator);
    return number_at(table, place);
}

/* Draw faces as `CountingTable.draw` does. */
static void draw_by_table(const Table *table, List *faces, Generator *generator) {
    int64_t levels = number_at(table, 0), order = 2 + levels, joined_lists = order + levels;
    int64_t place = joined_lists;
    for (int64_t level = 0; level < levels; level++)
        place += number_at(table, 1 + level);
    List *lists = new_lists(number_at(table, 1));
    for (int32_t i = 0; i < lists->count; i++)
        for (int64_t left = number_at(table, place++); left > 0; left--)
            append(LIST_AT(lists->items[i]), number_at(table, place++));
    for (int64_t level = 0; level < levels; level++) {
        List *taken = new_list(TOKENS), *later = new_lists(number_at(table, 2 + level));
        place = choose_faces(table, place, lists, taken, generator);
        put_in_class(table, number_at(table, order + level), faces, taken, generator);
        for (int32_t i = 0; i < lists->count; i++)
            extend(LIST_AT(item(later, number_at(table, joined_lists++))), LIST_AT(lists->items[i]));
        lists = later;
    }
    put_in_class(table, levels, faces, chained(lists), generator);
}

/* Draw faces as `FaceSampler` does. */
static void draw_faces(const Unseen *unseen, List *faces, Generator *generator) {
    int64_t start = 0;
    for (int64_t pool = 0; pool < unseen->pools; pool++) {
        put_in_any_order(faces, unseen->tokens + start, unseen->faces + start,
                         unseen->ends[pool] - start, generator);
        start = unseen->ends[pool];
    }
    for (int64_t number = 0; number < unseen->tables; number++)
        draw_by_table(&unseen->table[number], faces, generator);
}

/* Draw faces for an observed state until the game finds them plausible. */
static void draw_plausible(
    Unseen *unseen, const State *observed, State *world, Generator *generator
) {
    for (int64_t tries = 0; tries < MOST_TRIES; tries++) {
        heap_used = 0;
        *world = *observed;
        draw_faces(unseen, AS_LIST(world->face), generator);
        if (!unseen->is_tested)
            return;
        unseen->drawn++;
        if (true_plausible(world)) {
            unseen->accepted++;
            return;
        }
    }
    give_back(TOO_LONG);
}

static double draw_weighed(
    Unseen *unseen, const State *observed, State *world, Generator *generator
) {
    draw_plausible(unseen, observed, world, generator);
    double likelihood = true_likelihood(world);
    unseen->top = larger_double(unseen->top, likelihood);
    return likelihood;
}

/* Draw a determinization as `DeterminizationSampler` does. */
static void draw_world(Unseen *unseen, const State *observed, State *world, Generator *generator) {
    observed_fields = unseen->observed;
    if (!unseen->is_weighted) {
        draw_plausible(unseen, observed, world, generator);
        return;
    }
    /* Without this the first determinization would be its own bound. */
    for (int tries = unseen->top == 0 ? 0 : BURN_IN; tries < BURN_IN; tries++)
        draw_weighed(unseen, observed, world, generator);
    for (int tries = 0; tries < MOST_REJECTED; tries++) {
        double likelihood = draw_weighed(unseen, observed, world, generator);
        if (next_random(generator) * unseen->top <= likelihood)
            return;
    }
}

/* Read the tokens of each class, and the numbers of a table. */
static int read_table(PyObject *given, Table *table) {
    PyObject *classes, *numbers;
    int64_t number, count = 0;
    LIST(TOKENS) tokens = {.room = TOKENS};
    if (!PyArg_ParseTuple(given, "O!O!", &PyList_Type, &classes, &PyList_Type, &numbers))
        return -1;
    table->classes = table->numbers.count = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(classes); i++) {
        if (read_list(PyList_GET_ITEM(classes, i), AS_LIST(tokens)) < 0)
            return -1;
        int is_fit = i <= TOKENS && count + tokens.count <= TOKENS;
        for (int32_t place = 0; is_fit && place < tokens.count; place++) {
            is_fit = tokens.items[place] >= 0 && tokens.items[place] < TOKENS;
            table->tokens[count++] = tokens.items[place];
        }
        if (!is_fit) {
            PyErr_SetString(given_back_error, "a table has too many tokens");
            return -1;
        }
        table->ends[table->classes++] = count;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(numbers); i++) {
        if (read_number(PyList_GET_ITEM(numbers, i), &number) < 0)
            return -1;
        if (append_to(&table->numbers, number) < 0) {
            PyErr_NoMemory();
            return -1;
        }
    }
    return 0;
}

/* Copy a list of lists into new memory. */
static List *copied_lists(PyObject *rows) {
    if (!PyList_CheckExact(rows))
        return NULL;
    Py_ssize_t count = PyList_GET_SIZE(rows);
    Py_ssize_t size = count + 1;
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_ssize_t length = PySequence_Size(PyList_GET_ITEM(rows, i));
        if (length < 0)
            return NULL;
        size += length + 1;
    }
    int64_t *memory = calloc(size, sizeof(int64_t));
    List *copy = (List *)memory;
    if (!copy)
        return NULL;
    memory += count + 1;
    copy->count = (int32_t)count;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *row = PyList_GET_ITEM(rows, i);
        List *inner = (List *)memory;
        /* The room is for reading only: rules change no list without any. */
        inner->room = (int32_t)PySequence_Size(row);
        if (read_list(row, inner) < 0) {
            free(copy);
            return NULL;
        }
        inner->room = 0;
        copy->items[i] = ADDRESS(inner);
        memory += inner->count + 1;
    }
    return copy;
}

/* Read the nested fields of an observed state that determinizations need. */
static int read_observed_fields(PyObject *state, Unseen *unseen) {
    for (int i = 0; i < OBSERVED_FIELDS; i++) {
        PyObject *rows = PyObject_GetAttrString(state, OBSERVED_NAMES[i]);
        if (!rows)
            return -1;
        List *copy = copied_lists(rows);
        Py_DECREF(rows);
        if (!copy) {
            if (!PyErr_Occurred())
                PyErr_SetString(given_back_error, "a field has a value of another type");
            return -1;
        }
        free(unseen->observed[i]);
        unseen->observed[i] = copy;
    }
    return 0;
}

static int read_tables(PyObject *tables, Unseen *unseen) {
    unseen->tables = 0;
    if (PyList_GET_SIZE(tables) > MOST_TABLES) {
        PyErr_SetString(given_back_error, "there are too many tables");
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(tables); i++)
        if (read_table(PyList_GET_ITEM(tables, i), &unseen->table[unseen->tables++]) < 0)
            return -1;
    return 0;
}

/* Read pairs of lists, the tokens and the faces of a pool. */
static int read_unseen(PyObject *pools, Unseen *unseen) {
    LIST(TOKENS) tokens = {.room = TOKENS}, faces = {.room = TOKENS};
    unseen->count = unseen->pools = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(pools); i++) {
        PyObject *members, *pool;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(pools, i), "O!O!", &PyList_Type, &members,
                              &PyList_Type, &pool)
            || read_list(members, AS_LIST(tokens)) < 0 || read_list(pool, AS_LIST(faces)) < 0)
            return -1;
        int is_fit = tokens.count == faces.count && unseen->pools < TOKENS
            && unseen->count + tokens.count <= TOKENS;
        for (int32_t place = 0; is_fit && place < tokens.count; place++) {
            int64_t token = tokens.items[place], face = faces.items[place];
            is_fit = token >= 0 && token < TOKENS && face >= 0 && face < FACES;
            unseen->tokens[unseen->count] = token;
            unseen->faces[unseen->count++] = face;
        }
        if (!is_fit) {
            PyErr_SetString(given_back_error, "a pool has no face for each of its tokens");
            return -1;
        }
        unseen->ends[unseen->pools++] = unseen->count;
    }
    return 0;
}
