"""InjectSoftwarePipeline: overlap the stages of consecutive iterations of a loop."""
