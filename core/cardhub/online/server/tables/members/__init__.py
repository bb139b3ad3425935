"""People at a table: seats, absences, takebacks, rematches and chat."""
