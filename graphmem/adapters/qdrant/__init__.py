"""adapters/qdrant"""
