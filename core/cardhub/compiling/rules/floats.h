/* Floats as Python computes them: each result is rounded at once, and what differs between
   versions of Python, or what it refuses, is given back. It stands after the lists. */

#include <math.h>

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "floats need registers of 64 bits"
#endif

static inline int64_t bits_of(double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double float_of(int64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Greater ints may have no float of the same value, and Python compares them exactly. */
#define MOST_EXACT (INT64_C(1) << 53)

static inline double as_double(int64_t number) {
    if (number > MOST_EXACT || number < -MOST_EXACT)
        give_back(TOO_LARGE);
    return (double)number;
}

static inline int64_t truncated(double value) {
    require(value > -9e18 && value < 9e18);
    return (int64_t)value;
}

static inline double divided(double a, double b) {
    require(b != 0);
    return a / b;
}

static inline double square_root(double value) {
    require(value >= 0);
    return sqrt(value);
}

static inline double smaller_double(double a, double b) { return b < a ? b : a; }
static inline double larger_double(double a, double b) { return b > a ? b : a; }

static inline List *list_of_doubles(const List *list, int64_t room) {
    List *result = new_list(larger(room, list->count));
    for (int32_t i = 0; i < list->count; i++)
        append(result, bits_of(as_double(list->items[i])));
    return result;
}

/* As `sum`: since version 3.12 Python keeps what is lost by rounding, and adds it at the end. */
static inline double total_of_doubles(const List *list) {
    double sum = 0, lost = 0;
    for (int32_t i = 0; i < list->count; i++) {
        double value = float_of(list->items[i]);
        double total = sum + value;
        double error = fabs(sum) >= fabs(value) ? (sum - total) + value : (value - total) + sum;
        if (PY_VERSION_HEX >= 0x030c0000 && error != 0) {
            require(value != floor(value)); /* it may be an int, whose error Python does not keep */
            lost += error;
        }
        sum = total;
    }
    return lost != 0 && isfinite(lost) ? sum + lost : sum;
}

/* As `math.fsum`: the sum without any error, rounded once. `parts` do not overlap, in the order of
   their size, and their exact sum is that of all values so far (J. R. Shewchuk). */
#define MOST_PARTS 64

static inline double exact_sum(const List *list) {
    double parts[MOST_PARTS];
    int count = 0;
    for (int32_t i = 0; i < list->count; i++) {
        double value = float_of(list->items[i]);
        require(isfinite(value));
        int kept = 0;
        for (int part = 0; part < count; part++) {
            double other = parts[part];
            double greater = fabs(value) < fabs(other) ? other : value;
            double less = fabs(value) < fabs(other) ? value : other;
            double total = greater + less;
            double error = less - (total - greater);
            if (error != 0)
                parts[kept++] = error;
            value = total;
        }
        require(isfinite(value) && kept < MOST_PARTS);
        count = kept;
        if (value != 0)
            parts[count++] = value;
    }
    double sum = 0, error = 0;
    while (count > 0 && error == 0) {
        double part = parts[--count], before = sum;
        sum = before + part;
        error = part - (sum - before);
    }
    /* A half is rounded to even, unless smaller parts say that it is more than a half. */
    if (count > 0 && ((error < 0 && parts[count - 1] < 0) || (error > 0 && parts[count - 1] > 0))) {
        double twice = error * 2, rounded = sum + twice;
        if (twice == rounded - sum)
            sum = rounded;
    }
    return sum;
}
