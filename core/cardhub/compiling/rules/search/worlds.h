/* Determinizations of one observation: its state, with faces for the cards that are not seen.

   A pool has tokens and as many faces, in any order of which each is equally likely. If something
   rules orders out, Python draws the faces, and passes them. */

typedef struct {
    int64_t count;
    int64_t tokens[TOKENS], faces[TOKENS];
    int64_t pools, ends[TOKENS];
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

/* Draw faces as `FaceSampler` does: each pool is sorted by random numbers. */
static void draw_faces(const Unseen *unseen, List *faces, Generator *generator) {
    Lot lots[TOKENS], others[TOKENS];
    int64_t start = 0;
    for (int64_t pool = 0; pool < unseen->pools; pool++) {
        int64_t count = unseen->ends[pool] - start;
        for (int64_t i = 0; i < count; i++)
            lots[i] = (Lot){next_random(generator), unseen->faces[start + i]};
        const Lot *sorted = sort_lots(lots, others, count);
        for (int64_t i = 0; i < count; i++)
            faces->items[unseen->tokens[start + i]] = sorted[i].face;
        start += count;
    }
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
