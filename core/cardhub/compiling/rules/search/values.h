/* The values of seats after a playout, as cardhub.bots.search.simulation computes them.

   All sums and quotients have the order of Python's, so they agree to the last bit. */

#define FULL_MARGIN 3.0
#define MEMORY 1000.0
#define SPREAD 4.0
#define LEAST_VARIANCE 1e-4

enum value_kind { BY_SCORE, BY_WIN, BY_RANK };

typedef struct {
    int64_t kind, lowest_wins;
    int64_t seats, teams; /* no teams: each seat counts for itself */
    int64_t team_of[SEATS];
    /* The sum and the number of the margins so far. */
    double sum;
    int64_t count;
} Values;

typedef struct {
    int64_t is_linear;
    double count;
    int64_t seats;
    double means[SEATS], variances[SEATS];
} Standardizer;

/* What a playout came to: the score or the evaluation of each seat. */
typedef struct {
    int64_t count;
    double evaluations[SEATS];
    int64_t scores[SEATS];
    int has_scores;
} Result;

/* The best evaluation and the second; of a single one the second is 0. */
static void two_best(const Result *result, double *best, double *second) {
    *best = result->evaluations[0];
    *second = 0;
    for (int64_t i = 1; i < result->count; i++) {
        double value = result->evaluations[i];
        *second = value > *best ? *best : i == 1 || value > *second ? value : *second;
        *best = value > *best ? value : *best;
    }
}

static double place_value(const Result *result, int64_t seat, int64_t lowest_wins) {
    int64_t rank = 1, last = result->count - 1, equal = 0;
    for (int64_t other = 0; other < result->count; other++) {
        int64_t more = difference(result->scores[other], result->scores[seat]);
        rank += lowest_wins ? more < 0 : more > 0;
        equal += more == 0;
    }
    return last ? (double)(last - 2 * (rank - 1) - (equal - 1)) / (double)last : 0.0;
}

/* Replace the evaluations by values that count the result for one half. */
static void add_result(const Values *values, const Result *result, double *into) {
    int64_t top = result->scores[0], winners = 0;
    for (int64_t i = 0; i < result->count; i++)
        top = values->lowest_wins ? smaller(top, result->scores[i]) : larger(top, result->scores[i]);
    for (int64_t i = 0; i < result->count; i++)
        winners += result->scores[i] == top;
    double bonus = 0.5 / (double)winners;
    for (int64_t i = 0; i < result->count; i++) {
        double half = 0.5 * into[i];
        if (values->kind == BY_RANK)
            into[i] = half + 0.25 * (1.0 + place_value(result, i, values->lowest_wins));
        else
            into[i] = half + (result->scores[i] == top ? bonus : 0.0);
    }
}

/* As `WinValues.of` and `RankValues.of`. */
static void margin_values(Values *values, Result *result, double *into) {
    double best, second, sign = values->lowest_wins ? -1.0 : 1.0;
    for (int64_t i = 0; i < result->count; i++)
        result->evaluations[i] = sign * result->evaluations[i];
    two_best(result, &best, &second);
    values->sum += fabs(best - second);
    values->count++;
    double full = FULL_MARGIN * values->sum / (double)values->count;
    for (int64_t i = 0; i < result->count; i++) {
        double value = result->evaluations[i];
        double margin = divided(value - (value == best ? second : best), full);
        into[i] = 0.5 + 0.5 * (margin > 1.0 ? 1.0 : margin < -1.0 ? -1.0 : margin);
    }
    if (result->has_scores)
        add_result(values, result, into);
}

static void values_of(Values *values, Result *result, double *into) {
    if (values->kind != BY_SCORE) {
        margin_values(values, result, into);
        return;
    }
    double sign = values->lowest_wins ? -1.0 : 1.0;
    for (int64_t i = 0; i < result->count; i++)
        into[i] = sign * (result->has_scores ? as_double(result->scores[i])
                                             : result->evaluations[i]);
}

/* The mean evaluation of a team, and the score of its first seat. */
static void gather_team(
    const Values *values, const Result *by_seat, int64_t team, Result *by_team
) {
    List *evaluations = new_list(by_seat->count);
    for (int64_t seat = by_seat->count - 1; seat >= 0; seat--)
        if (values->team_of[seat] == team)
            by_team->scores[team] = by_seat->scores[seat];
    for (int64_t seat = 0; seat < by_seat->count; seat++)
        if (values->team_of[seat] == team)
            append(evaluations, bits_of(by_seat->evaluations[seat]));
    by_team->evaluations[team] = exact_sum(evaluations) / (double)evaluations->count;
}

/* Fill the value of each seat; members of a team have the same. */
static void seat_values(Values *values, Result *by_seat, double *into) {
    require(by_seat->count == values->seats);
    for (int64_t seat = 0; seat < by_seat->count; seat++)
        require(isfinite(by_seat->evaluations[seat]));
    if (!values->teams) {
        values_of(values, by_seat, into);
        return;
    }
    Result by_team = {.count = values->teams, .has_scores = by_seat->has_scores};
    double of_teams[SEATS];
    for (int64_t team = 0; team < values->teams; team++)
        gather_team(values, by_seat, team, &by_team);
    values_of(values, &by_team, of_teams);
    for (int64_t seat = 0; seat < by_seat->count; seat++)
        into[seat] = of_teams[values->team_of[seat]];
}

/* As `Standardizer.of`. */
static void standardize(Standardizer *running, const double *values, int64_t count, double *into) {
    if (running->count == 0 && running->is_linear)
        memcpy(running->means, values, count * sizeof(double));
    if (running->count < MEMORY)
        running->count += 1.0;
    double step = 1.0 / running->count, least = running->is_linear ? 0.0 : LEAST_VARIANCE;
    for (int64_t seat = 0; seat < count; seat++) {
        double off = values[seat] - running->means[seat], variance = running->variances[seat];
        if (off == 0) {
            running->variances[seat] = variance - step * variance;
            into[seat] = 0.5;
            continue;
        }
        running->means[seat] += step * off;
        variance += step * (off * off - variance);
        running->variances[seat] = variance;
        double scaled = 0.5 + divided(off, SPREAD * square_root(variance + least));
        into[seat] = scaled > 1.0 ? 1.0 : scaled < 0.0 ? 0.0 : scaled;
    }
}
