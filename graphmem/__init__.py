"""A fact memory for LLM agents: a knowledge graph that knows time."""
