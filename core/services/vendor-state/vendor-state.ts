import type { Caller } from '../../contracts/caller.ts';
import type { Log, Metrics } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { ItemLimits } from './kept-items.ts';
import {
  digestId,
  digestItem,
  digestOwner,
  type KeptTexts,
  type StateFound,
  type StateLocation,
  type StateRecords,
} from './records.ts';

type Project = Pick<Caller, 'organization' | 'project'>;

/** An object that a vendor stores: `foreign` belongs to another project, `unknown` was never seen. */
export type StoredObject = StateLocation | 'foreign' | 'unknown';

/** What is being written, on its exchange: entries of a WeakMap are freed by no collection but a full one. */
const WRITING = Symbol('writing');
interface Keeping {
  readonly caller: Project;
  [WRITING]?: Promise<void>;
}

/** Which project created which object at a vendor, and with which credential. */
export class VendorState {
  readonly #records: StateRecords;
  readonly #log: Log;
  readonly #countError: (operation: 'find' | 'add') => void;
  readonly #limits: ItemLimits;
  #hasFailed = false;

  /** @param limits of the items that the gateway keeps itself */
  constructor(records: StateRecords, log: Log, metrics: Metrics, limits: ItemLimits) {
    this.#records = records;
    this.#limits = limits;
    this.#log = log;
    const errors = metrics.counter(
      'koine_vendor_state_errors_total',
      'Records of objects at vendors that could not be read or written.',
      ['operation'],
    );
    this.#countError = (operation) => errors.bind([operation])(1);
  }

  /**
   * What is known of these objects, in their order.
   * @returns a promise only if the store is in another process
   * @throws GatewayError 503 if the store does not respond
   */
  find(project: Project, ids: readonly string[]): readonly StoredObject[] | Promise<readonly StoredObject[]> {
    const owner = digestOwner(project);
    const read = (found: StateFound): readonly StoredObject[] => {
      this.#hasFailed = false;
      return found.map((record) => (record === null ? 'unknown' : record.owner === owner ? record : 'foreign'));
    };
    const fail = (error: unknown): never =>
      this.#refuse('check at the moment which project owns what this request refers to; try again.', error);
    try {
      const found = this.#records.find(ids.map(digestId));
      return found instanceof Promise ? found.then(read, fail) : read(found);
    } catch (error) {
      return fail(error);
    }
  }

  /**
   * Records objects that a response has created. A failure is logged: later requests cannot refer to them.
   * @returns a promise only if the store is in another process. It never rejects
   */
  keep(project: Project, { provider, credential }: StateLocation, ids: readonly string[]): Promise<void> | undefined {
    const fail = (error: unknown): void => this.#fail('add', error);
    try {
      const adding = this.#records.add(ids.map(digestId), { owner: digestOwner(project), provider, credential });
      if (!(adding instanceof Promise)) return undefined;
      return adding.then(() => void (this.#hasFailed = false), fail);
    } catch (error) {
      fail(error);
      return undefined;
    }
  }

  /**
   * The items of these ids that the gateway keeps for the project, as JSON; null: none.
   * @returns a promise only if the store is in another process
   * @throws GatewayError 503 if the store does not respond
   */
  readItems(project: Project, ids: readonly string[]): KeptTexts | Promise<KeptTexts> {
    const owner = digestOwner(project);
    const fail = (error: unknown): never =>
      this.#refuse('read at the moment what it keeps of earlier responses; try again, or send the whole input.', error);
    try {
      const found = this.#records.readItems(ids.map((id) => digestItem(owner, id)));
      return found instanceof Promise ? found.catch(fail) : found;
    } catch (error) {
      return fail(error);
    }
  }

  /** Keeps items of the response of an exchange. A failure is logged: later requests cannot refer to them. */
  keepItems(exchange: Keeping, items: readonly (readonly [id: string, text: string])[]): void {
    if (this.#limits.keep === 0) return;
    const owner = digestOwner(exchange.caller);
    const fail = (error: unknown): void => this.#fail('add', error);
    try {
      const entries = items.map(([id, text]) => [digestItem(owner, id), text] as const);
      const writing = this.#records.writeItems(entries, this.#limits);
      if (writing instanceof Promise) exchange[WRITING] = writing.then(() => undefined, fail);
    } catch (error) {
      fail(error);
    }
  }

  /** Resolves when the items of the exchange are written, and never rejects; undefined: nothing is being written. */
  written(exchange: Keeping): Promise<void> | undefined {
    return exchange[WRITING];
  }

  /** @param what the gateway cannot do, and what to do instead */
  #refuse(what: string, error: unknown): never {
    this.#fail('find', error);
    throw new GatewayError('service_unavailable', `The gateway cannot ${what}`, { cause: error });
  }

  /** Logs the first failure, and no further one until the store has responded. */
  #fail(operation: 'find' | 'add', error: unknown): void {
    this.#countError(operation);
    if (!this.#hasFailed)
      this.#log.warn(
        { error, operation },
        'the records of objects at vendors are not available: requests that refer to such objects are refused',
      );
    this.#hasFailed = true;
  }
}
