#!/usr/bin/env python3
"""Analyses positions on all executors of an Apache Spark cluster with rufous-study.

    spark-submit --files rufous-study examples/spark/analyse.py --nodes 100000 INPUT OUTPUT

INPUT is anything that Spark reads as text (a file, a folder, hdfs:// or s3a://), one position a line: FEN, EPD or JSON,
as `rufous-study analyse` reads them. OUTPUT becomes a folder of Parquet files with a row for each line of the input,
those that could not be read included, with the reason.
"""

import argparse
import json
import re

from pyspark import SparkFiles
from pyspark.sql import Row, SparkSession
from pyspark.sql.types import (
    ArrayType,
    DoubleType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
)

PROGRAM = "rufous-study"
# Characters of a line that are looked at; the program takes lines of 256 KiB, and a request is up to three times as long.
LONGEST = 20_000
EPD_ID = re.compile(r'\bid "([^"]*)"')

LINE = StructType(
    [
        StructField("cp", IntegerType()),
        StructField("mate", IntegerType()),
        StructField("winning_chances", DoubleType()),
        StructField("wdl", ArrayType(IntegerType())),
        StructField("depth", IntegerType()),
        StructField("uci", ArrayType(StringType())),
        StructField("san", ArrayType(StringType())),
    ]
)
ROW = StructType(
    [
        StructField("number", LongType(), nullable=False),
        StructField("input", StringType(), nullable=False),
        StructField("id", StringType()),
        StructField("error", StringType()),
        StructField("fen", StringType()),
        StructField("nodes", LongType()),
        StructField("lines", ArrayType(LINE)),
        StructField("engine", StringType()),
        StructField("network", StringType()),
    ]
)


def arguments():
    parser = argparse.ArgumentParser(description="Analyse positions on all executors of a Spark cluster.")
    parser.add_argument("input", help="positions, one a line: FEN, EPD or JSON")
    parser.add_argument("output", help="the folder of Parquet files to write")
    parser.add_argument("--nodes", type=int, default=100_000, help="nodes for each position")
    parser.add_argument("--multipv", type=int, default=1, help="lines for each position")
    parser.add_argument("--partitions", type=int, help="parts of the work [default: four for each core]")
    parser.add_argument("--program", help=f"the program, where --files does not bring {PROGRAM}")
    return parser.parse_args()


def text(value):
    """A value as text, whatever a line of JSON had in its place."""
    value = value if isinstance(value, str) else json.dumps(value)
    return value.encode("utf-8", "replace").decode("utf-8")


def request(numbered):
    """A line of input for the program. Number and line come back as the id, so that no row can be lost or mixed up."""
    line, number = numbered
    line = text(line)[:LONGEST]
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        epd_id = EPD_ID.search(line)
        value = {"fen": line, "id": epd_id and epd_id[1]}
    moves = value.get("moves") or []
    moves = [text(move) for move in moves] if isinstance(moves, list) else text(moves)
    given = value.get("id")
    tag = {"number": number, "input": line, "id": given if given is None else text(given)}
    return json.dumps({"id": tag, "fen": text(value.get("fen", "startpos")), "moves": moves})


def row(answer):
    """The row of the table for a line of output."""
    answer = json.loads(answer)
    tag = answer["id"]
    lines = [
        Row(
            cp=line["score"].get("cp"),
            mate=line["score"].get("mate"),
            winning_chances=line["winning_chances"],
            wdl=line.get("wdl"),
            depth=line["depth"],
            uci=line["uci"],
            san=line["san"],
        )
        for line in answer.get("lines", [])
    ]
    return Row(
        number=tag["number"],
        input=tag["input"],
        id=tag["id"],
        error=answer.get("error"),
        fen=answer.get("fen"),
        nodes=answer.get("nodes"),
        lines=lines,
        engine=answer.get("engine"),
        network=answer.get("network"),
    )


def main():
    args = arguments()
    spark = SparkSession.builder.appName("rufous-study").getOrCreate()
    context = spark.sparkContext
    partitions = args.partitions or 4 * context.defaultParallelism
    # A task has one core, and so one engine.
    words = f"analyse --quiet --no-store --threads 1 --nodes {args.nodes} --multipv {args.multipv}"
    # Executors have what --files brings in their own folder; a local run has no executors, only the driver.
    is_local = re.fullmatch(r"local(\[.*\])?", context.master)
    program = args.program or (SparkFiles.get(PROGRAM) if is_local else f"./{PROGRAM}")
    numbered = context.textFile(args.input).zipWithIndex().repartition(partitions)
    answers = numbered.map(request).pipe(f"{program} {words}", checkCode=True)
    spark.createDataFrame(answers.map(row), ROW).write.mode("overwrite").parquet(args.output)
    spark.stop()


if __name__ == "__main__":
    main()
