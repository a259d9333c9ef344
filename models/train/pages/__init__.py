"""Whole book pages with truth: text, diagrams, captions, things that are no diagrams, and wear."""

import one_thread  # first
