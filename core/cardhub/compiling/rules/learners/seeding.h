/* Generators that a text seeds, as `random.Random(text)` does: the key is the text and its SHA-512.

   Seeding is one long chain of multiplications. So the generators of several games are seeded side
   by side, in the lanes of a vector. */

#define HASH_BYTES 64
#define BLOCK_BYTES 128
/* A longer text, with its end mark and length, would need two blocks. */
#define MOST_TEXT (BLOCK_BYTES - 17)
#define MOST_KEY ((MOST_TEXT + HASH_BYTES + 3) / 4)
#define LANES 32

typedef uint32_t Lanes __attribute__((vector_size(4 * LANES)));

/* The words of several generators. */
typedef struct {
    Lanes words[WORDS];
} SeededLanes;

typedef struct {
    int length;
    uint32_t words[MOST_KEY];
} Key;

static const uint64_t HASH_START[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};
static const uint64_t HASH_ROUNDS[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

static inline uint64_t rotated(uint64_t bits, int by) { return bits >> by | bits << (64 - by); }

/* The highest byte stands first; compilers make one instruction of that. */
static inline uint32_t word_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Fill the words of the one block of a text, which ends with the text's number of bits. */
static void fill_block(uint64_t *block, const char *text, int length) {
    uint8_t bytes[BLOCK_BYTES] = {0};
    memcpy(bytes, text, length);
    bytes[length] = 0x80;
    for (int i = 0; i < 15; i++)
        block[i] = (uint64_t)word_at(bytes + 8 * i) << 32 | word_at(bytes + 8 * i + 4);
    block[15] = 8 * (uint64_t)length;
}

/* The SHA-512 of a text of one block, as eight words. */
static void hash_text(uint64_t *hash, const char *text, int length) {
    uint64_t block[80];
    fill_block(block, text, length);
    for (int i = 16; i < 80; i++) {
        uint64_t low = block[i - 15], high = block[i - 2];
        low = rotated(low, 1) ^ rotated(low, 8) ^ low >> 7;
        high = rotated(high, 19) ^ rotated(high, 61) ^ high >> 6;
        block[i] = block[i - 16] + low + block[i - 7] + high;
    }
    uint64_t a = HASH_START[0], b = HASH_START[1], c = HASH_START[2], d = HASH_START[3];
    uint64_t e = HASH_START[4], f = HASH_START[5], g = HASH_START[6], h = HASH_START[7];
    for (int i = 0; i < 80; i++) {
        uint64_t first = h + (rotated(e, 14) ^ rotated(e, 18) ^ rotated(e, 41));
        first += ((e & f) ^ (~e & g)) + HASH_ROUNDS[i] + block[i];
        uint64_t second = rotated(a, 28) ^ rotated(a, 34) ^ rotated(a, 39);
        second += (a & b) ^ (a & c) ^ (b & c);
        h = g, g = f, f = e, e = d + first;
        d = c, c = b, b = a, a = first + second;
    }
    const uint64_t added[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        hash[i] = HASH_START[i] + added[i];
}

/* The key of a text: its bytes and its hash as one number, lowest words first. */
static void make_key(Key *key, const char *text, int length) {
    /* The first bytes fill up the highest word. */
    uint8_t bytes[3 + MOST_TEXT] = {0};
    uint64_t hash[8];
    hash_text(hash, text, length);
    memcpy(bytes + 3, text, length);
    key->length = (length + HASH_BYTES + 3) / 4;
    int hashed = HASH_BYTES / 4;
    for (int i = 0; i < hashed; i++)
        key->words[i] = (uint32_t)(hash[7 - i / 2] >> (i % 2 ? 32 : 0));
    for (int i = hashed; i < key->length; i++)
        key->words[i] = word_at(bytes + 3 + length - 4 * (i - hashed + 1));
}

/* The words from which every key begins. */
static const uint32_t *first_state(void) {
    static uint32_t words[WORDS];
    if (!words[0]) {
        words[0] = 19650218U;
        for (int i = 1; i < WORDS; i++)
            words[i] = 1812433253U * (words[i - 1] ^ words[i - 1] >> 30) + (uint32_t)i;
    }
    return words;
}

/* Seed a state by a key, as CPython's `init_by_array`; of one generator, or of several in lanes. */
#define SEED_STATE(words, zero, key, length) do {                                               \
    const uint32_t *begin = first_state();                                                      \
    for (int n = 0; n < WORDS; n++)                                                             \
        (words)[n] = begin[n] + (zero);                                                         \
    int i = 1, j = 0;                                                                           \
    for (int n = 0; n < 2 * WORDS - 1; n++) {                                                   \
        if (n < WORDS) {                                                                        \
            (words)[i] ^= ((words)[i - 1] ^ (words)[i - 1] >> 30) * 1664525U;                   \
            (words)[i] += (key)[j] + (uint32_t)j;                                               \
            j = j + 1 == (length) ? 0 : j + 1;                                                  \
        } else {                                                                                \
            (words)[i] ^= ((words)[i - 1] ^ (words)[i - 1] >> 30) * 1566083941U;                \
            (words)[i] -= (uint32_t)i;                                                          \
        }                                                                                       \
        if (++i == WORDS) {                                                                     \
            (words)[0] = (words)[WORDS - 1];                                                    \
            i = 1;                                                                              \
        }                                                                                       \
    }                                                                                           \
    (words)[0] = 0x80000000U + (zero);                                                          \
} while (0)

/* Seed generators by keys of one length. */
static void seed_lanes(SeededLanes *seeded, const Key *keys) {
    Lanes key[MOST_KEY];
    int length = keys[0].length;
    for (int i = 0; i < length; i++)
        for (int lane = 0; lane < LANES; lane++)
            key[i][lane] = keys[lane].words[i];
    SEED_STATE(seeded->words, (Lanes){0}, key, length);
}

/* Seed a generator by a key. */
static void seed_by_key(Generator *generator, const Key *key) {
    SEED_STATE(generator->words, 0U, key->words, key->length);
    generator->index = WORDS;
}

/* Make a generator of one lane. */
static void take_lane(Generator *generator, const SeededLanes *seeded, int lane) {
    for (int i = 0; i < WORDS; i++)
        generator->words[i] = seeded->words[i][lane];
    generator->index = WORDS;
}

/* Seed a generator by a text. */
static void seed_by_text(Generator *generator, const char *text, int length) {
    Key key;
    make_key(&key, text, length);
    seed_by_key(generator, &key);
}

/* The first words of a lane, made one by one: a deal needs few of them. */
typedef struct {
    const SeededLanes *seeded;
    int lane, index;
    Generator *rest; /* seeded at the word after which words depend on new ones */
} FirstWords;

#define FIRST_WORDS (WORDS - 397)

static inline uint32_t first_word(void *source) {
    FirstWords *first = source;
    const Lanes *words = first->seeded->words;
    int i = first->index++, lane = first->lane;
    if (i >= FIRST_WORDS) {
        if (i == FIRST_WORDS) {
            take_lane(first->rest, first->seeded, lane);
            twist(first->rest);
            first->rest->index = i;
        }
        return next_word(first->rest);
    }
    uint32_t bits = (words[i][lane] & 0x80000000U) | (words[i + 1][lane] & 0x7fffffffU);
    return tempered(words[i + 397][lane] ^ (bits >> 1) ^ (bits & 1U ? 0x9908b0dfU : 0));
}
