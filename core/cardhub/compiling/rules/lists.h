/* Numbers and lists as rules in Python have them. What would need Python gives the rule back.

   All values are 64 bits wide: a number, a truth value, the number of a text or of a function, or
   the address of a list. Tuples are lists. Lists of constants have no room, so nothing can change
   them. */

#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#if !defined(__GNUC__) || __SIZEOF_POINTER__ != 8
#error "rules are translated for GCC and Clang on systems of 64 bits"
#endif

/* Instead of None. */
#define NONE INT64_MIN

typedef struct {
    int32_t count, room;
    int64_t items[];
} List;

/* Of some rules only one of the two instances is called. */
#define RULE_FUNCTION __attribute__((unused)) static

#define LIST(size) struct { int32_t count, room; int64_t items[size]; }
#define AS_LIST(list) ((List *)&(list))
#define ADDRESS(list) ((int64_t)(intptr_t)(list))
#define LIST_AT(address) ((List *)(intptr_t)(address))

#define COUNT(list) ((int64_t)(list)->count)
#define IS_TRUE(value) ((value) != 0 && (value) != NONE)

/* Why a rule is given back to Python. */
typedef enum {
    NOTHING,
    TOO_LARGE, /* a number of more than 64 bits */
    NO_SUCH_INDEX,
    NO_ROOM,
    NO_SUCH_VALUE,
    HIDDEN_FACE,
    BEYOND_PYTHON, /* what Python would refuse, or what only Python can do */
    TOO_LONG,
} Reason;

static jmp_buf way_back;
static Reason reason_given;
static int64_t hidden_token;

_Noreturn static void give_back(Reason reason) {
    reason_given = reason;
    longjmp(way_back, 1);
}

/* Rules that call themselves without an end would run out of the stack. */
#define MOST_STACK (256 * 1024)
static char *stack_base;

static inline void check_stack(void) {
    char here;
    if (stack_base - &here > MOST_STACK || &here - stack_base > MOST_STACK)
        give_back(TOO_LONG);
}

static inline void require(int is_true) {
    if (!is_true)
        give_back(BEYOND_PYTHON);
}

/* What a type checker knows not to be reached. */
_Noreturn static inline void not_reached(void) { give_back(BEYOND_PYTHON); }

static inline void require_equal(int64_t a, int64_t b) { require(a == b); }

/* Arithmetic. */

static inline int64_t sum_of(int64_t a, int64_t b) {
    int64_t result;
    if (__builtin_add_overflow(a, b, &result))
        give_back(TOO_LARGE);
    return result;
}

static inline int64_t difference(int64_t a, int64_t b) {
    int64_t result;
    if (__builtin_sub_overflow(a, b, &result))
        give_back(TOO_LARGE);
    return result;
}

static inline int64_t product(int64_t a, int64_t b) {
    int64_t result;
    if (__builtin_mul_overflow(a, b, &result))
        give_back(TOO_LARGE);
    return result;
}

static inline int64_t quotient(int64_t a, int64_t b) {
    require(b != 0 && !(a == INT64_MIN && b == -1));
    int64_t result = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? result - 1 : result;
}

static inline int64_t remainder_of(int64_t a, int64_t b) {
    require(b != 0 && b != -1);
    int64_t result = a % b;
    return result != 0 && (result < 0) != (b < 0) ? result + b : result;
}

static inline int64_t shifted_left(int64_t a, int64_t by) {
    require(by >= 0);
    if (a == 0)
        return 0;
    if (by > 62 || a > INT64_MAX >> by || a < INT64_MIN >> by)
        give_back(TOO_LARGE);
    return (int64_t)((uint64_t)a << by);
}

static inline int64_t shifted_right(int64_t a, int64_t by) {
    require(by >= 0);
    return a >> (by > 63 ? 63 : by);
}

static inline int64_t smaller(int64_t a, int64_t b) { return b < a ? b : a; }
static inline int64_t larger(int64_t a, int64_t b) { return b > a ? b : a; }
static inline int64_t magnitude(int64_t a) { return a < 0 ? difference(0, a) : a; }

static inline int64_t bit_length(int64_t a) {
    uint64_t bits = a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
    return bits ? 64 - __builtin_clzll(bits) : 0;
}

static inline int64_t bit_count(int64_t a) {
    return __builtin_popcountll(a < 0 ? 0 - (uint64_t)a : (uint64_t)a);
}

/* A value that may be None, as a number. */
static inline int64_t present(int64_t value) {
    require(value != NONE);
    return value;
}

static inline int64_t number_in(int64_t index, int64_t count) {
    if (index < 0 || index >= count)
        give_back(NO_SUCH_INDEX);
    return index;
}

/* The number of steps of range(start, stop, step). */
static inline int64_t steps_of(int64_t start, int64_t stop, int64_t step) {
    require(step != 0);
    int64_t way = step > 0 ? difference(stop, start) : difference(start, stop);
    int64_t size = magnitude(step);
    return way <= 0 ? 0 : (way - 1) / size + 1;
}

/* Lists. New ones live until the rule that was asked for has ended. */

#define HEAP_SLOTS 262144
static int64_t heap[HEAP_SLOTS];
static int64_t heap_used;

static inline List *new_list(int64_t room) {
    if (room < 0 || room >= HEAP_SLOTS - heap_used)
        give_back(NO_ROOM);
    List *list = (List *)(heap + heap_used);
    heap_used += room + 1;
    list->count = 0;
    list->room = (int32_t)room;
    return list;
}

static inline int64_t item(const List *list, int64_t index) {
    return list->items[number_in(index, list->count)];
}

/* The item at a negative index: the first from the end has `place` 1. */
static inline int64_t item_from_end(const List *list, int64_t place) {
    return list->items[number_in(list->count - place, list->count)];
}

static inline void set_item(List *list, int64_t index, int64_t value) {
    require(list->room > 0);
    list->items[number_in(index, list->count)] = value;
}

static inline void set_item_from_end(List *list, int64_t place, int64_t value) {
    set_item(list, list->count - place, value);
}

static inline void append(List *list, int64_t value) {
    if (list->count >= list->room)
        give_back(NO_ROOM);
    list->items[list->count++] = value;
}

/* A list with one more item, which is at another place if there was no room for it. */
static inline List *appended(List *list, int64_t value) {
    if (list->count == list->room) {
        List *moved = new_list(2 * (int64_t)list->room + 8);
        moved->count = list->count;
        memcpy(moved->items, list->items, list->count * sizeof(int64_t));
        list = moved;
    }
    list->items[list->count++] = value;
    return list;
}

/* Append to a list that no other variable refers to, so it may move. */
#define ADD(list, value) ((list) = appended(list, value))

static inline void extend(List *list, const List *others) {
    int32_t added = others->count; /* a list may extend itself */
    for (int32_t i = 0; i < added; i++)
        append(list, others->items[i]);
}

static inline int64_t place_in(const List *list, int64_t value) {
    for (int32_t i = 0; i < list->count; i++)
        if (list->items[i] == value)
            return i;
    return -1;
}

static inline int64_t contains(const List *list, int64_t value) {
    return place_in(list, value) >= 0;
}

static inline int64_t index_of(const List *list, int64_t value) {
    int64_t place = place_in(list, value);
    if (place < 0)
        give_back(NO_SUCH_VALUE);
    return place;
}

static inline int64_t count_of(const List *list, int64_t value) {
    int64_t count = 0;
    for (int32_t i = 0; i < list->count; i++)
        count += list->items[i] == value;
    return count;
}

static inline int64_t pop_at(List *list, int64_t index) {
    require(list->room > 0);
    int64_t value = list->items[number_in(index, list->count)];
    list->count--;
    memmove(list->items + index, list->items + index + 1, (list->count - index) * sizeof(int64_t));
    return value;
}

static inline int64_t pop(List *list) { return pop_at(list, (int64_t)list->count - 1); }
static inline void remove_from(List *list, int64_t value) { pop_at(list, index_of(list, value)); }

static inline void insert(List *list, int64_t index, int64_t value) {
    require(index >= 0);
    append(list, value);
    for (int32_t i = list->count - 1; i > index; i--) {
        list->items[i] = list->items[i - 1];
        list->items[i - 1] = value;
    }
}

static inline void clear(List *list) {
    require(list->room > 0);
    list->count = 0;
}

static inline int64_t is_equal(const List *a, const List *b) {
    return a->count == b->count && !memcmp(a->items, b->items, a->count * sizeof(int64_t));
}

/* list[start:stop], with NONE for a bound that is left out. */
static inline void clip(const List *list, int64_t *start, int64_t *stop) {
    int64_t count = list->count;
    *start = *start == NONE ? 0 : *start < 0 ? larger(0, *start + count) : smaller(*start, count);
    *stop = *stop == NONE ? count : *stop < 0 ? larger(0, *stop + count) : smaller(*stop, count);
}

static inline List *slice(const List *list, int64_t start, int64_t stop, int64_t room) {
    clip(list, &start, &stop);
    int64_t count = larger(0, stop - start);
    List *part = new_list(larger(room, count));
    part->count = (int32_t)count;
    memcpy(part->items, list->items + start, count * sizeof(int64_t));
    return part;
}

static inline void delete_slice(List *list, int64_t start, int64_t stop) {
    require(list->room > 0);
    clip(list, &start, &stop);
    if (stop <= start)
        return;
    memmove(list->items + start, list->items + stop, (list->count - stop) * sizeof(int64_t));
    list->count -= (int32_t)(stop - start);
}

static inline List *reversed(const List *list, int64_t room) {
    List *result = new_list(larger(room, list->count));
    for (int32_t i = list->count; i-- > 0;)
        append(result, list->items[i]);
    return result;
}

static inline List *repeated(const List *list, int64_t times, int64_t room) {
    int64_t count = product(list->count, larger(0, times));
    List *result = new_list(larger(room, count));
    for (int64_t i = 0; i < times; i++)
        extend(result, list);
    return result;
}

static inline List *joined(const List *first, const List *second, int64_t room) {
    List *result = new_list(larger(room, (int64_t)first->count + second->count));
    extend(result, first);
    extend(result, second);
    return result;
}

/* All items of several lists. */
static inline List *chained(const List *lists) {
    int64_t count = 0;
    for (int32_t i = 0; i < lists->count; i++)
        count += LIST_AT(lists->items[i])->count;
    List *result = new_list(count);
    for (int32_t i = 0; i < lists->count; i++)
        extend(result, LIST_AT(lists->items[i]));
    return result;
}

/* All lists with an item of each of several lists; the last one changes fastest. */
static inline List *product_of(const List *lists) {
    int64_t count = 1;
    for (int32_t i = 0; i < lists->count; i++)
        count = product(count, LIST_AT(lists->items[i])->count);
    List *result = new_list(count);
    for (int64_t number = 0; number < count; number++) {
        List *chosen = new_list(lists->count);
        int64_t rest = number;
        chosen->count = lists->count;
        for (int32_t i = lists->count; i-- > 0;) {
            const List *values = LIST_AT(lists->items[i]);
            chosen->items[i] = values->items[rest % values->count];
            rest /= values->count;
        }
        append(result, ADDRESS(chosen));
    }
    return result;
}

/* All lists of `size` items of a list, in its order. */
static inline List *combinations_of(const List *values, int64_t size) {
    List *result = new_list(8), *places = new_list(size);
    for (int64_t place = 0; place < size; place++)
        append(places, place);
    for (int64_t changed = size <= values->count ? 0 : -1; changed >= 0;) {
        List *chosen = new_list(size);
        for (int64_t i = 0; i < size; i++)
            append(chosen, values->items[places->items[i]]);
        result = appended(result, ADDRESS(chosen));
        changed = size - 1;
        while (changed >= 0 && places->items[changed] == values->count - size + changed)
            changed--;
        for (int64_t i = changed; i >= 0 && i < size; i++)
            places->items[i] = i == changed ? places->items[i] + 1 : places->items[i - 1] + 1;
    }
    return result;
}

static inline List *range_list(int64_t start, int64_t stop, int64_t step, int64_t room) {
    int64_t count = steps_of(start, stop, step);
    List *result = new_list(larger(room, count));
    for (int64_t i = 0; i < count; i++)
        append(result, start + i * step);
    return result;
}

/* Groups of amounts: the action of the least amount, both bounds, and the step. */

static inline int64_t has_amount(const List *group, int64_t action) {
    int64_t place = action - group->items[0];
    return place >= 0 && place <= (group->items[2] - group->items[1]) / group->items[3];
}

static inline int64_t amount_of(const List *group, int64_t action) {
    require(has_amount(group, action));
    return group->items[1] + (action - group->items[0]) * group->items[3];
}

static inline int64_t action_of(const List *group, int64_t amount) {
    int64_t above = difference(amount, group->items[1]);
    require(above >= 0 && amount <= group->items[2] && above % group->items[3] == 0);
    return group->items[0] + above / group->items[3];
}

/* How many actions have amounts between two bounds; `stride` is the difference of actions. */
static inline int64_t count_between(const List *group, int64_t low, int64_t high, int64_t stride) {
    require(stride > 0);
    if (low > high)
        return 0;
    action_of(group, low);
    require(high <= group->items[2]);
    return (high - low) / group->items[3] / stride + 1;
}

static inline int64_t stride_of(const List *group, int64_t step) {
    require(step % group->items[3] == 0);
    return step ? step / group->items[3] : 1;
}

/* How two keys compare: below 0 if the first is less. `order` has a letter for a number: q for an
   int, d for a float; after a parenthesis it has those of a tuple, the last for all further ones. */
static inline int compared_numbers(int64_t a, int64_t b, char letter) {
    if (letter == 'q')
        return (a > b) - (a < b);
    double first, second;
    memcpy(&first, &a, sizeof first);
    memcpy(&second, &b, sizeof second);
    require(first == first && second == second);
    return (first > second) - (first < second);
}

static inline int compared_lists(const List *a, const List *b, const char *order) {
    for (int32_t i = 0; i < a->count && i < b->count; i++) {
        order += order[1] != 0;
        int difference = compared_numbers(a->items[i], b->items[i], *order);
        if (difference)
            return difference;
    }
    return (a->count > b->count) - (a->count < b->count);
}

static inline int compared(int64_t a, int64_t b, const char *order) {
    return *order == '(' ? compared_lists(LIST_AT(a), LIST_AT(b), order)
                         : compared_numbers(a, b, *order);
}

/* How many items each of several lists has. */
static inline int64_t width_of(const List *rows) {
    for (int32_t i = 1; i < rows->count; i++)
        require(LIST_AT(rows->items[i])->count == LIST_AT(rows->items[0])->count);
    return rows->count ? COUNT(LIST_AT(rows->items[0])) : 0;
}

/* Sort by keys, equal keys in their order. */
static inline void sort_by(List *list, List *keys, const char *order, int is_reversed) {
    int sign = is_reversed ? -1 : 1;
    require(list->room > 0);
    for (int32_t i = 1; i < list->count; i++) {
        int64_t value = list->items[i], key = keys->items[i];
        int32_t place = i;
        for (; place > 0 && sign * compared(keys->items[place - 1], key, order) > 0; place--) {
            list->items[place] = list->items[place - 1];
            keys->items[place] = keys->items[place - 1];
        }
        list->items[place] = value;
        keys->items[place] = key;
    }
}

/* The place of the first of the greatest keys, or of the least ones with `sign` -1. */
static inline int64_t place_of_extreme(const List *keys, const char *order, int sign) {
    require(keys->count > 0);
    int64_t place = 0;
    for (int32_t i = 1; i < keys->count; i++)
        if (sign * compared(keys->items[i], keys->items[place], order) > 0)
            place = i;
    return place;
}

static inline void assign(List *list, const List *values) {
    if (values->count > list->room)
        give_back(NO_ROOM);
    list->count = values->count;
    memmove(list->items, values->items, values->count * sizeof(int64_t));
}

static inline int64_t total(const List *list) {
    int64_t sum = 0;
    for (int32_t i = 0; i < list->count; i++)
        sum = sum_of(sum, list->items[i]);
    return sum;
}

static inline int64_t smallest(const List *list) {
    require(list->count > 0);
    int64_t best = list->items[0];
    for (int32_t i = 1; i < list->count; i++)
        best = smaller(best, list->items[i]);
    return best;
}

static inline int64_t largest(const List *list) {
    require(list->count > 0);
    int64_t best = list->items[0];
    for (int32_t i = 1; i < list->count; i++)
        best = larger(best, list->items[i]);
    return best;
}

/* The value of a key in a dictionary of constants. */
static inline int64_t looked_up(const List *keys, const List *values, int64_t key) {
    return values->items[index_of(keys, key)];
}

static inline int64_t looked_up_or(
    const List *keys, const List *values, int64_t key, int64_t otherwise
) {
    int64_t place = place_in(keys, key);
    return place < 0 ? otherwise : values->items[place];
}

/* Dictionaries: keys and values in turns. */

#define PAIRS(list) (COUNT(list) / 2)

static inline int64_t place_of_key(const List *pairs, int64_t key) {
    for (int32_t i = 0; i < pairs->count; i += 2)
        if (pairs->items[i] == key)
            return i;
    return -1;
}

static inline int64_t has_key(const List *pairs, int64_t key) {
    return place_of_key(pairs, key) >= 0;
}

static inline int64_t value_or(const List *pairs, int64_t key, int64_t otherwise) {
    int64_t place = place_of_key(pairs, key);
    return place < 0 ? otherwise : pairs->items[place + 1];
}

static inline int64_t value_for(const List *pairs, int64_t key) {
    int64_t place = place_of_key(pairs, key);
    if (place < 0)
        give_back(NO_SUCH_VALUE);
    return pairs->items[place + 1];
}

/* Pairs of a key and its number, the greatest number first; equal ones in their order. */
static inline List *most_common(const List *pairs) {
    List *result = new_list(pairs->count / 2);
    for (int32_t i = 0; i < pairs->count; i += 2) {
        List *pair = new_list(2);
        append(pair, pairs->items[i]);
        append(pair, pairs->items[i + 1]);
        append(result, ADDRESS(pair));
        for (int32_t place = i / 2; place > 0; place--) {
            int64_t earlier = result->items[place - 1];
            if (LIST_AT(earlier)->items[1] >= pair->items[1])
                break;
            result->items[place] = earlier;
            result->items[place - 1] = ADDRESS(pair);
        }
    }
    return result;
}

static inline List *stored(List *pairs, int64_t key, int64_t value) {
    int64_t place = place_of_key(pairs, key);
    if (place < 0)
        return appended(appended(pairs, key), value);
    pairs->items[place + 1] = value;
    return pairs;
}

/* Store in a dictionary that no other variable refers to, so it may move. */
#define STORE(pairs, key, value) ((pairs) = stored(pairs, key, value))

static inline void store(List *pairs, int64_t key, int64_t value) {
    int64_t place = place_of_key(pairs, key);
    require(pairs->room > 0);
    if (place >= 0) {
        pairs->items[place + 1] = value;
        return;
    }
    append(pairs, key);
    append(pairs, value);
}

/* Sets: ints in ascending order. */

static inline List *set_of(List *values) {
    List *keys = slice(values, NONE, NONE, values->count);
    sort_by(values, keys, "q", 0);
    int32_t kept = 0;
    for (int32_t i = 0; i < values->count; i++)
        if (!kept || values->items[i] != values->items[kept - 1])
            values->items[kept++] = values->items[i];
    values->count = kept;
    return values;
}

static inline int64_t is_superset(const List *set, const List *values) {
    for (int32_t i = 0; i < values->count; i++)
        if (!contains(set, values->items[i]))
            return 0;
    return 1;
}

/* The values of a set that another one has, or does not have. */
static inline List *set_kept(const List *set, const List *others, int64_t are_in) {
    List *kept = new_list(set->count);
    for (int32_t i = 0; i < set->count; i++)
        if (contains(others, set->items[i]) == are_in)
            append(kept, set->items[i]);
    return kept;
}

static inline List *set_union(const List *set, const List *others) {
    return set_of(joined(set, others, 0));
}

/* Python goes through a set in the order of its table: ascending if each value has a place of its
   own there. The table has at least 8 places, and 16 for more than 4 values. */
static inline void require_ascending(const List *set) {
    int64_t places = set->count < 5 ? 8 : 16;
    require(set->count < 19);
    require(!set->count || (set->items[0] >= 0 && set->items[set->count - 1] < places));
}
