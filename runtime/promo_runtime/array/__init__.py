"""`Array`: values of one dtype under one promotion system, its operators and its methods."""
