"""What tests of graphmem, and of code built on it, are made of.

Import from the modules; this package imports nothing itself. ``docs/testing.md`` shows the use.

Contract suites: subclass one, say how your adapter is made, and pytest runs every promise of its
port. They need pytest.

- ``graph_store``: ``GraphStoreContract``
- ``vector_index``: ``VectorIndexContract``
- ``embedder``: ``EmbedderContract``
- ``language_model``: ``LanguageModelContract``
- ``extractor``: ``ExtractorContract`` and, for one that can fail, ``FallibleExtractorContract``
- ``clock``: ``ClockContract``

Fakes, which pass these suites:

- ``embedders``: ``HashEmbedder``, whose vectors are alike where words are
- ``models``: ``ScriptedModel``, which gives the answers it was given
- ``clock``: ``FrozenClock``, which stands still until it is moved

Servers, over real HTTP on the loopback, that answer as they are told, or misbehave:

- ``model_server``: ``ScriptedServer`` for chat, with ``Reply`` and ``Request``
- ``endpoints``: ``CASES``, the ways in which servers in use answer and misbehave, to be played
- ``embedding_server``: ``EmbeddingServer``

Builders of values with defaults:

- ``builders``: ``a_fact``, ``a_claim``, ``an_episode``, … and the instants ``T0`` to ``T3``
- ``points``: points of an index and filters
"""
