"""The composition root of the pipeline: definitions, jobs, sensors, schedules."""
