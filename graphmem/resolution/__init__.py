"""resolution"""
