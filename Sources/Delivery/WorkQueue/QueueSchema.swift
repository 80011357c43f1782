import PostgreSQL

/// The tables of the queue, in a schema of their own.
enum QueueSchema {
    static let name = "copystand_queue"

    static let steps = SchemaSteps(
        schema: name, [SchemaStep(purpose: "jobs", script: jobs)])

    /// `state` is 0 for a waiting job, 1 for a running one, 2 for a finished one, and 3 for one
    /// that was given up.
    ///
    /// `attempt` only grows, so that earlier claims are refused; `used` counts the attempts that
    /// ended, up to `attempts`. The table stays small, and is cleaned up often: every claim reads
    /// it. `machine` has a row for each program that reported in the last days, and `upkeep` the
    /// time when the queue was last maintained.
    private static let jobs: StaticString = """
        CREATE TABLE copystand_queue.job (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            kind TEXT COLLATE "C" NOT NULL,
            key TEXT COLLATE "C" NOT NULL,
            station TEXT COLLATE "C" NOT NULL,
            urgency BIGINT NOT NULL,
            payload TEXT NOT NULL,
            state BIGINT NOT NULL DEFAULT 0,
            attempt BIGINT NOT NULL DEFAULT 0,
            used BIGINT NOT NULL DEFAULT 0,
            attempts BIGINT NOT NULL,
            size BIGINT NOT NULL,
            patience DOUBLE PRECISION NOT NULL,
            due TIMESTAMPTZ NOT NULL DEFAULT now(),
            made TIMESTAMPTZ NOT NULL DEFAULT now(),
            beat TIMESTAMPTZ,
            ended TIMESTAMPTZ,
            progress BIGINT NOT NULL DEFAULT 0,
            worker TEXT COLLATE "C",
            reason TEXT
        ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0,
            autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
        CREATE UNIQUE INDEX job_live ON copystand_queue.job (kind, key) WHERE state < 2;
        CREATE INDEX job_waiting ON copystand_queue.job (kind, urgency, station, due, id)
            WHERE state = 0;
        CREATE INDEX job_running ON copystand_queue.job (beat) WHERE state = 1;
        CREATE INDEX job_done ON copystand_queue.job (ended) WHERE state = 2;
        CREATE INDEX job_dead ON copystand_queue.job (id) WHERE state = 3;
        CREATE TABLE copystand_queue.upkeep (
            id BIGINT PRIMARY KEY CHECK (id = 1), beat TIMESTAMPTZ NOT NULL);
        INSERT INTO copystand_queue.upkeep VALUES (1, now());
        CREATE TABLE copystand_queue.machine (
            name TEXT COLLATE "C" PRIMARY KEY,
            role TEXT COLLATE "C" NOT NULL,
            version TEXT NOT NULL,
            load BIGINT NOT NULL,
            places BIGINT NOT NULL,
            began TIMESTAMPTZ NOT NULL DEFAULT now(),
            beat TIMESTAMPTZ NOT NULL DEFAULT now()
        ) WITH (fillfactor = 50);
        """
}
