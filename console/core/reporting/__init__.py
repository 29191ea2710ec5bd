"""What the morning report is made of; `console.core.report` puts it together. Pure: facts of the log, nothing else."""
