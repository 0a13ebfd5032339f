"""The types of variables without an annotation. Those of calls and operators have their own rooms."""
