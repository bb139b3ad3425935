"""`cardhub grade`: grade the bots of a course."""

from pathlib import Path

import click

from cardhub.bots.processes.launch import processors
from cardhub.cli.console import echo
from cardhub.cli.output import ProgressCounter, print_table
from cardhub.cli.params import QUIET, workers_option
from cardhub.cli.root import registry_of
from cardhub.lab.match.run.match_bots import end_bot_processes
from cardhub.lab.match.run.runner import shared_workers
from cardhub.testing.grading.assignment import Assignment, read_assignment
from cardhub.testing.grading.grade_files import write_results, write_table
from cardhub.testing.grading.grader import Grade, Grader, find_submissions


@click.command(epilog="The page docs/grade-a-course.md explains the file of an assignment.")
@click.argument(
    "assignment",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file of the assignment.",
)
@click.argument(
    "folder",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The submissions: Python files, or folders with a file each.",
)
@click.option(
    "--out",
    default=Path("grades"),
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="A new folder for the grades.",
)
@workers_option("Number of processes. Default: one for each processor.")
@QUIET
@click.pass_context
def grade(
    ctx: click.Context,
    assignment: Path,
    folder: Path,
    out: Path,
    workers: int | None,
    quiet: bool,
) -> None:
    """Grade the bots of a course.

    cardhub grade assignment.yaml submissions --out grades

    Each submission is checked and plays against the reference bots of the assignment. The same
    submissions get the same grades again.
    """
    registry = registry_of(ctx)
    task = read_assignment(assignment, registry)
    submissions = find_submissions(folder)
    if not submissions:
        raise click.UsageError(f"{folder} has no Python file and no folder with one")
    if out.exists() and any(out.iterdir()):
        raise click.UsageError(f"{out} is not empty\nfix: name a new folder with --out")
    counter = ProgressCounter("{} of {} graded: {}")
    grades = []
    try:
        with shared_workers(workers or processors()) as options:
            for result in Grader(task, out, registry, options).grades(submissions):
                grades.append(result)
                write_results(result)
                counter(len(grades), len(submissions), result.student)
    finally:
        counter.clear()
        end_bot_processes()
    table = write_table(out, grades)
    if not quiet:
        _print(task, grades)
        echo(f"Grades: {table}")


def _print(assignment: Assignment, grades: list[Grade]) -> None:
    heads = ["student", ">points", *(f">{item.name}" for item in grades[0].items)]
    rows = [
        (result.student, f"{result.points:g}", *(f"{item.points:g}" for item in result.items))
        for result in grades
    ]
    echo(f"{assignment.name}: at most {grades[0].most:g} points")
    print_table(heads, rows)
