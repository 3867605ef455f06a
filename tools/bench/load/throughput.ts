import autocannon from 'autocannon';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { hasWrk, pinned } from '../gateways/machine.ts';
import type { BenchRequest } from './requests.ts';

/** What came of a load. */
export interface Throughput {
  /** Good answers. */
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Other answers, and connections that broke. */
  readonly errors: number;
}

const folder = mkdtempSync(join(tmpdir(), 'koine-bench-load-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A string of Lua with these characters. */
const quote = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
const SCRIPT = `
wrk.method = "POST"
wrk.body = file:read("*a")
file:close()
done = function(summary, latency)
  local e = summary.errors
  local broken = e.connect + e.read + e.write + e.timeout
  local form = '\\n{"requests":%d,"us":%d,"failed":%d,"broken":%d,"p50":%f,"p99":%f}\\n'
  local p50, p99 = latency:percentile(50), latency:percentile(99)
  io.write(string.format(form, summary.requests, summary.duration, e.status, broken, p50, p99))
end`;
/** Each request has the next key. */
const IN_TURN = `
local sent = 0
request = function()
  sent = sent % #keys + 1
  wrk.headers["authorization"] = "Bearer " .. keys[sent]
  return wrk.format()
end`;
const files = new Map<string, string>();
/** The script for wrk that sends a request, and prints what came of it as JSON. */
const scriptFor = (request: BenchRequest): string => {
  const id = JSON.stringify(request);
  const known = files.get(id);
  if (known !== undefined) return known;
  const file = join(folder, `${files.size}.lua`);
  writeFileSync(`${file}.json`, request.body);
  const headers = Object.entries(request.headers);
  const lines = headers.map(([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`);
  if (request.keys !== undefined) lines.push(`local keys = {${request.keys.map(quote).join(',')}}`, IN_TURN);
  writeFileSync(file, [...lines, `local file = io.open(${quote(`${file}.json`)}, "rb")`, SCRIPT].join('\n'));
  files.set(id, file);
  return file;
};

interface WrkResult {
  readonly requests: number;
  /** Microseconds, as the percentiles. */
  readonly us: number;
  readonly failed: number;
  readonly broken: number;
  readonly p50: number;
  readonly p99: number;
}

/** A closed loop over so many connections for some whole seconds. */
type Load = (url: string, request: BenchRequest, connections: number, seconds: number) => Promise<Throughput>;

const runWrk: Load = async (url, request, connections, seconds) => {
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', scriptFor(request)];
  const [program, ...args] = pinned('load', ['wrk', ...options, url + request.path]);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const result = JSON.parse(output.trim().split('\n').at(-1) ?? '') as WrkResult;
  const good = result.requests - result.failed;
  return {
    requests: good,
    perSecond: good / (result.us / 1e6),
    p50: result.p50 / 1_000,
    p99: result.p99 / 1_000,
    errors: result.failed + result.broken,
  };
};

const runAutocannon: Load = async (url, { path, body, headers, keys }, connections, seconds) => {
  const requests = keys?.map((key) => ({ headers: { ...headers, authorization: `Bearer ${key}` } }));
  const what = {
    url: url + path,
    method: 'POST',
    headers: { ...headers },
    body,
    ...(requests && { requests }),
  } as const;
  const result = await autocannon({ ...what, connections, duration: seconds });
  const good = result.requests.total - result.non2xx;
  const { p50, p99 } = result.latency;
  return { requests: good, perSecond: good / result.duration, p50, p99, errors: result.errors + result.non2xx };
};

/** By wrk where it is installed, else from this process. */
export const load: Load = hasWrk ? runWrk : runAutocannon;
