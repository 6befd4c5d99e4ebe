"""An agent that remembers: it reads the memory before it answers, and adds the turns after."""

from __future__ import annotations

from graphmem import Memory

SAID = (
    "I'm allergic to mango, and I live in Hangzhou.",
    "杨枝甘露里有芒果。",
    "I've moved to Lisbon.",
    "What can I eat for dessert, and where do I live?",
)


def chat_model(prompt: str) -> str:
    """Stand in for the model you use; it only says how much it was told."""
    return f"(an answer to {len(prompt.splitlines())} lines)"


def main() -> None:
    with Memory("agent-memory") as memory:
        for said in SAID:
            known = memory.context(said, user="ana", max_tokens=300)
            reply = chat_model(f"{known.text}\n\nUser: {said}")
            memory.add(
                [{"role": "user", "content": said}, {"role": "assistant", "content": reply}],
                user="ana",
                session="chat",
            )
        print(memory.context("What am I allergic to, and where do I live?", user="ana").text)


if __name__ == "__main__":
    main()
