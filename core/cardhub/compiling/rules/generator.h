/* The words of a `random.Random` of CPython, drawn without a call of Python.

   Its object holds the index of the next word and 624 words, behind its head. Nothing promises
   that: the module compares with `getstate` when it is imported. */

#define WORDS 624

typedef struct {
    int index;
    uint32_t words[WORDS];
} Generator;

static Generator *generator_of(PyObject *random) {
    return (Generator *)((char *)random + sizeof(PyObject));
}

/* How many times words were renewed; until then a copy of them stays valid. */
static uint64_t twists;

static void twist(Generator *generator) {
    uint32_t *words = generator->words;
    twists++;
    for (int i = 0; i < WORDS; i++) {
        uint32_t bits = (words[i] & 0x80000000U) | (words[(i + 1) % WORDS] & 0x7fffffffU);
        words[i] = words[(i + 397) % WORDS] ^ (bits >> 1) ^ (bits & 1U ? 0x9908b0dfU : 0);
    }
    generator->index = 0;
}

static inline uint32_t tempered(uint32_t word) {
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680U;
    word ^= (word << 15) & 0xefc60000U;
    return word ^ word >> 18;
}

static inline uint32_t next_word(Generator *generator) {
    if (generator->index >= WORDS)
        twist(generator);
    return tempered(generator->words[generator->index++]);
}

/* As `random.random()`. */
static inline double next_random(Generator *generator) {
    uint32_t high = next_word(generator) >> 5, low = next_word(generator) >> 6;
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
}

/* The generator of the playout that is being played. */
static Generator *drawing;

static inline double drawn_number(void) { return next_random(drawing); }

/* A number below `count`, as `int(random() * count)`. */
static inline int64_t random_below(Generator *generator, int64_t count) {
    return (int64_t)(next_random(generator) * (double)count);
}

/* As `rng.choice(range(count))`. */
static int64_t random_place(Generator *generator, int64_t count) {
    require(count > 0);
    int width = (int)bit_length(count);
    uint64_t place;
    do {
        place = next_word(generator);
        if (width <= 32)
            place >>= 32 - width;
        else
            place |= (uint64_t)(next_word(generator) >> (64 - width)) << 32;
    } while (place >= (uint64_t)count);
    return (int64_t)place;
}

static inline int64_t drawn_place(int64_t count) { return random_place(drawing, count); }

/* As `cardhub.model.game.initial_state.shuffle`, with words from any source. */
__attribute__((always_inline)) static inline void shuffle_by(
    int64_t *numbers, int64_t count, uint32_t (*word_from)(void *), void *source
) {
    for (int64_t last = count - 1; last > 0; last--) {
        int width = (int)bit_length(last + 1);
        int64_t other;
        do
            other = word_from(source) >> (32 - width);
        while (other > last);
        int64_t moved = numbers[last];
        numbers[last] = numbers[other];
        numbers[other] = moved;
    }
}

static inline uint32_t word_of_generator(void *generator) { return next_word(generator); }

static void shuffle_numbers(int64_t *numbers, int64_t count, Generator *generator) {
    shuffle_by(numbers, count, word_of_generator, generator);
}
