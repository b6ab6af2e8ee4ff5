"""The fitted numbers of `branchline.review.chances`."""
