"""The tables and figures of papers that papers.py runs, a module for each paper."""
from . import barbieri, kureck, nakahara, pacevic

FIGURES = {**barbieri.FIGURES, **pacevic.FIGURES, **kureck.FIGURES, **nakahara.FIGURES}
