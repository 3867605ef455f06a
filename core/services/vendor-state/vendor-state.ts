import type { Caller } from '../../contracts/caller.ts';
import type { Log, Metrics } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { digestId, digestOwner, type StateFound, type StatePlace, type StateRecords } from './records.ts';

type Project = Pick<Caller, 'organization' | 'project'>;

/** An object that a vendor stores: `foreign` belongs to another project, `unknown` was never seen. */
export type StoredObject = StatePlace | 'foreign' | 'unknown';

/** Which project created which object at a vendor, and with which credential. */
export class VendorState {
  readonly #records: StateRecords;
  readonly #log: Log;
  readonly #countError: (operation: 'find' | 'add') => void;
  #hasFailed = false;

  constructor(records: StateRecords, log: Log, metrics: Metrics) {
    this.#records = records;
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
    const fail = (error: unknown): never => {
      this.#fail('find', error);
      throw new GatewayError(
        'service_unavailable',
        'The gateway cannot check at the moment which project owns what this request refers to; try again.',
        { cause: error },
      );
    };
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
  keep(project: Project, { provider, credential }: StatePlace, ids: readonly string[]): Promise<void> | undefined {
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
