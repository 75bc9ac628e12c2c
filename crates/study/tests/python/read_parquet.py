"""Writes the rows of a folder of Parquet files to a file, as lines of JSON."""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
with open(sys.argv[2], "w") as file:
    for row in spark.read.parquet(sys.argv[1]).toJSON().collect():
        print(row, file=file)
