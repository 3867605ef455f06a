import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** The access log of a whole run, summed up. */
export interface LogReport {
  /** The number of log lines by the id that a client sent. */
  readonly lines: ReadonlyMap<string, number>;
  /** Log lines by outcome, and streams by how they ended after content. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly endings: ReadonlyMap<string, number>;
  /** Calls to upstreams, and exchanges with at least one call. */
  readonly attempts: number;
  readonly called: number;
  /** Rejected as overloaded. This is allowed: the gateway shares the machine with its clients. */
  readonly shed: number;
  /** Log lines of exchanges in which the gateway itself failed. */
  readonly gatewayFaults: readonly string[];
}

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

/** The fields of a line of an exchange that are read here. */
export interface ExchangeLine {
  readonly message: string;
  readonly request_id: string;
  readonly client_request_id?: string;
  readonly outcome: string;
  readonly status: number;
  readonly ending?: string;
  readonly code?: string;
  readonly error_message?: string;
  readonly attempts: readonly object[];
  readonly cost_micro?: number;
}

/** The lines of exchanges. @throws SyntaxError for a line that is not whole */
export async function* readExchangeLines(file: string): AsyncGenerator<ExchangeLine> {
  for await (const text of createInterface({ input: createReadStream(file) })) {
    const line = JSON.parse(text) as ExchangeLine;
    if (line.message === 'exchange') yield line;
  }
}

/** @throws SyntaxError for a line that is not whole */
export async function readAccessLog(file: string): Promise<LogReport> {
  const [lines, outcomes, endings] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const gatewayFaults: string[] = [];
  let [attempts, called, shed] = [0, 0, 0];
  for await (const line of readExchangeLines(file)) {
    count(lines, line.client_request_id ?? 'none');
    count(outcomes, line.outcome);
    if (line.ending !== undefined) count(endings, line.ending);
    attempts += line.attempts.length;
    if (line.attempts.length > 0) called += 1;
    if (line.code === 'overloaded') shed += 1;
    else if (line.status === 500 || line.outcome === 'gateway_error') gatewayFaults.push(JSON.stringify(line));
  }
  return { lines, outcomes, endings, attempts, called, shed, gatewayFaults };
}
