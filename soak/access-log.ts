import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** What the access log says of a whole run. */
export interface LogReport {
  /** Ids that clients sent, and how many lines each has. */
  readonly lines: ReadonlyMap<string, number>;
  /** Lines by outcome, streams by how they ended after content. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly endings: ReadonlyMap<string, number>;
  /** Calls to upstreams, and exchanges that made any. */
  readonly attempts: number;
  readonly asked: number;
  /** Refused because the gateway, on a machine that it shares with its clients, was late: it is meant to. */
  readonly shed: number;
  /** Lines of exchanges in which the gateway itself was at fault. */
  readonly ownFaults: readonly string[];
}

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

interface ExchangeLine {
  readonly message: string;
  readonly client_request_id?: string;
  readonly outcome: string;
  readonly status: number;
  readonly ending?: string;
  readonly code?: string;
  readonly attempts: readonly object[];
}

/** @throws SyntaxError for a line that is not whole */
export async function readAccessLog(file: string): Promise<LogReport> {
  const [lines, outcomes, endings] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const ownFaults: string[] = [];
  let [attempts, asked, shed] = [0, 0, 0];
  for await (const text of createInterface({ input: createReadStream(file) })) {
    const line = JSON.parse(text) as ExchangeLine;
    if (line.message !== 'exchange') continue;
    count(lines, line.client_request_id ?? 'none');
    count(outcomes, line.outcome);
    if (line.ending !== undefined) count(endings, line.ending);
    attempts += line.attempts.length;
    if (line.attempts.length > 0) asked += 1;
    if (line.code === 'overloaded') shed += 1;
    else if (line.status === 500 || line.outcome === 'gateway_error') ownFaults.push(text);
  }
  return { lines, outcomes, endings, attempts, asked, shed, ownFaults };
}
