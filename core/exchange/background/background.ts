import { setImmediate } from 'node:timers/promises';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Ending } from '../../contracts/attempt-record.ts';
import type { Exchange, ExchangeOf } from '../../contracts/exchange.ts';
import type { Target } from '../../contracts/target.ts';
import type { Tap } from '../../contracts/native.ts';
import type { Admission } from '../../contracts/outcome.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import type { Metrics } from '../../contracts/services.ts';
import type { StoredClient } from '../../dispatch/stored-client.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { parseJson } from '../../framing/json.ts';
import type { ChannelParts } from '../../lanes/channel.ts';
import { collectBody } from '../../lanes/upstream/collect.ts';
import type { BackgroundRecord, BackgroundRecords } from '../../services/background/records.ts';
import type { StateLocation } from '../../services/vendor-state/records.ts';
import type { SettleParts } from '../settle.ts';
import { Follower, type Followed } from './follower.ts';
import { packExchange, unpackExchange, type OpenResponse } from './packed-exchange.ts';
import { lostEnding, readEnd, tapOf } from './read-end.ts';
import { settleEnd, settleLeft } from './settle-end.ts';

export interface BackgroundParts extends Omit<SettleParts, 'background'> {
  readonly records: BackgroundRecords;
  readonly stored: Pick<StoredClient, 'send'>;
  readonly codec: ChannelParts['codec'];
  readonly catalog: Pick<Catalog, 'find'>;
  readonly plugins: readonly PluginInstance[];
  readonly metrics: Metrics;
  /** How long a response is followed, in milliseconds. */
  readonly timeout: number;
}

/**
 * Settles background responses, each once, when a client or this process sees their ends, also after the process of
 * their request has died: core/decisions/2026-11-27-background-responses.md.
 */
export class BackgroundResponses {
  readonly #parts: BackgroundParts;
  /** Those whose requests are open, by the id of the exchange. */
  readonly #begun = new Map<string, BackgroundRecord>();
  readonly #follower: Follower;
  readonly #count: (result: 'seen' | 'lost') => void;

  constructor(parts: BackgroundParts) {
    this.#parts = parts;
    const { metrics } = parts;
    this.#follower = new Follower({
      ...parts,
      hasBegun: () => this.#begun.size > 0,
      open: (record) => this.#open(record),
      resume: (open) => this.#resume(open),
      leave: (followed) => this.#leave(followed),
      check: (followed) => this.#check(followed),
    });
    const settled = metrics.counter(
      'koine_background_settled_total',
      'Background responses that were settled: their end was seen, or they are lost at the vendor.',
      ['result'],
    );
    this.#count = (result) => settled.bind([result])(1);
  }

  /** Begins to follow responses, also those of processes that have died. */
  start(): void {
    this.#follower.start();
  }

  /** Leaves what it follows to other processes. */
  async close(): Promise<void> {
    await this.#follower.close();
  }

  /** A vendor has accepted a background response. Resolves when its end is settled also if this process dies. */
  async begin(exchange: ExchangeOf<'generate'>, target: Target, credential: string, response: string): Promise<void> {
    if (this.#begun.has(exchange.id)) return;
    const { records, clock, log } = this.#parts;
    const openedAt = clock.now() - (clock.monotonic() - exchange.startedAt);
    const packed = packExchange(exchange, target, Math.round(openedAt));
    const record: BackgroundRecord = { response, provider: target.provider, credential, exchange: packed };
    this.#begun.set(exchange.id, record);
    try {
      await records.add(record, exchange.caller, clock.now());
    } catch (error) {
      log.error(
        { request_id: exchange.id, error },
        'a background response could not be recorded: if this process dies, it is charged its input only',
      );
    }
  }

  /**
   * The request of an exchange has ended.
   * @param isWhole so has its response
   * @returns whether a background response continues: its figures follow
   */
  leave(exchange: Exchange, isWhole: boolean): boolean {
    const record = this.#begun.get(exchange.id);
    if (record === undefined) return false;
    this.#begun.delete(exchange.id);
    const { records } = this.#parts;
    if (isWhole) void this.#afterRows(() => records.conclude(record.response));
    else {
      this.#follower.follow(this.#open(record));
      void this.#afterRows(() => records.follow(record.response));
    }
    return !isWhole;
  }

  /** Where a response of this project is. @throws GatewayError 503 if the database does not respond */
  async findLocation(caller: Caller, response: string): Promise<StateLocation | undefined> {
    return this.#read(() => this.#parts.records.findLocation(caller, response));
  }

  /** A response that is not settled; undefined: it is, or its request is open here. */
  async find(response: string): Promise<OpenResponse | undefined> {
    const followed = this.#follower.get(response);
    if (followed !== undefined) return followed;
    for (const begun of this.#begun.values()) if (begun.response === response) return undefined;
    const record = await this.#read(() => this.#parts.records.findOpen(response)).catch(() => undefined);
    return record === undefined ? undefined : this.#open(record);
  }

  /** The tap that reads the events of a response; undefined: its wire has none. */
  tap(open: OpenResponse): Tap | undefined {
    return tapOf(open, this.#parts.codec);
  }

  /** Settles the response if its object says that it has ended. Never rejects. */
  async observe(open: OpenResponse, body: unknown): Promise<void> {
    const tap = this.tap(open);
    const ending = tap && readEnd(body, tap);
    if (ending !== undefined) await this.settle(open, ending);
  }

  /** Asks the vendor, and settles the response if it has ended, or is gone. Never rejects. */
  async poll(open: OpenResponse): Promise<void> {
    const { record, exchange } = open;
    const call = { method: 'GET', path: `/${encodeURIComponent(record.response)}`, query: '' } as const;
    try {
      const reply = await this.#parts.stored.send(record, exchange.route.wire, call, exchange.signal);
      const bytes = await collectBody(reply);
      await this.observe(open, parseJson(bytes.toString('utf8')));
    } catch (thrown) {
      const error = toGatewayError(thrown);
      if (error.vendor?.status === 404 || error.vendor?.status === 410) return this.settle(open, lostEnding);
      this.#parts.log.warn({ request_id: exchange.id, error }, 'a background response could not be retrieved');
    }
  }

  /** Settles the response, unless another process does. Never rejects. */
  async settle(open: OpenResponse, ending: Ending): Promise<void> {
    const { records, log } = this.#parts;
    const { response } = open.record;
    const followed = this.#follower.remove(response);
    try {
      if (!(await records.take(response))) {
        if (followed !== undefined) await this.#leave(followed);
        return;
      }
      const admissions = await (followed?.admissions ?? this.#resume(open));
      settleEnd(this.#parts, open, ending, admissions);
      this.#count(ending === lostEnding ? 'lost' : 'seen');
      await this.#afterRows(() => records.conclude(response));
    } catch (error) {
      // The claim of the record expires, and it is settled then.
      log.error({ request_id: open.exchange.id, error }, 'a background response could not be settled');
      if (followed !== undefined) await this.#leave(followed);
    }
  }

  async #check(followed: Followed): Promise<void> {
    const { clock, timeout } = this.#parts;
    if (clock.now() - followed.openedAt > timeout) await this.settle(followed, lostEnding);
    else await this.poll(followed);
  }

  #open(record: BackgroundRecord): OpenResponse {
    const { catalog, clock } = this.#parts;
    const now = { unix: clock.now(), monotonic: clock.monotonic() };
    return { record, ...unpackExchange(record.exchange, catalog, now) };
  }

  /** Gives back what this process has reserved. */
  async #leave(followed: Followed): Promise<void> {
    settleLeft(this.#parts, followed.exchange, await followed.admissions);
  }

  /** Calls the `resume` hook of every plugin at once: each has reserved before this returns, unless it has to wait. */
  async #resume({ exchange, openedAt }: OpenResponse): Promise<readonly Admission[]> {
    const resuming = this.#parts.plugins.map(async ({ resume }) => await resume?.(exchange as Exchange, openedAt));
    const admissions: Admission[] = [];
    for (const result of await Promise.allSettled(resuming)) {
      if (result.status === 'fulfilled') admissions.push(...(result.value ? [result.value] : []));
      else
        this.#parts.log.error(
          { request_id: exchange.id, error: result.reason as unknown },
          'a plugin could not resume a background response',
        );
    }
    return admissions;
  }

  /** Rows are with the operating system in an immediate after they were settled. A write that fails is logged. */
  async #afterRows(write: () => Promise<void>): Promise<void> {
    await setImmediate();
    await setImmediate();
    await write().catch((error: unknown) =>
      this.#parts.log.warn({ error }, 'the record of a background response could not be written'),
    );
  }

  async #read<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (cause) {
      const message = 'The gateway cannot check at the moment who owns this response; try again.';
      throw new GatewayError('service_unavailable', message, { cause });
    }
  }
}
