"""Games as environments for reinforcement learning: batches of boards, and other libraries."""
