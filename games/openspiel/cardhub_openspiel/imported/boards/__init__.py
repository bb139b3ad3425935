"""Games on boards: pieces as cards on a grid."""
