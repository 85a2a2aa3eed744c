"""Where artefacts lie: on a disk, or in an object storage."""
