import type { Metrics } from '../../contracts/services.ts';
import type { UploadHold } from '../client-connection.ts';
import { refuseDisk, type Shed } from './shed.ts';

/** Limits of one process. */
export interface UploadLimits {
  /** Multipart forms open at once. */
  readonly uploads: number;
  /** Bytes on disk of the files of open forms. */
  readonly disk: number;
  /** The share that one key can hold while no other calls: above 0, at most 1. */
  readonly perKey: number;
}

/** What open forms hold together: those of one key, or all. */
interface Use {
  uploads: number;
  disk: number;
}

/** Counts the open multipart forms of a process, whose files lie on disk, by the rules of other overload. */
export class UploadBudget {
  readonly #shed: Shed;
  readonly #all: Use = { uploads: 0, disk: 0 };
  readonly #keys = new Map<string, Use>();
  readonly #show: (bytes: number) => void;

  constructor(shed: Shed, metrics: Metrics) {
    this.#shed = shed;
    const help = 'Bytes on disk that the files of open uploads take.';
    this.#show = metrics.gauge('koine_upload_disk_bytes', help, [], 'sum').bind([]);
    this.#show(0);
  }

  /**
   * @param threshold what a key can hold, as a multiple of what is free
   * @param inFlight open exchanges, for the log
   * @throws GatewayError `overloaded`, `rate_limit_exceeded`
   */
  open(key: string, limits: UploadLimits, threshold: number, inFlight: number): UploadHold {
    const all = this.#all;
    const use = this.#keys.get(key) ?? { uploads: 0, disk: 0 };
    const free = limits.uploads - all.uploads;
    if (free <= 0) throw this.#shed.refuse('uploads', inFlight);
    if (use.uploads > threshold * free) throw this.#shed.refuseKey('key_uploads', inFlight, key);
    this.#keys.set(key, use);
    use.uploads += 1;
    all.uploads += 1;
    let own = 0;
    let isReleased = false;
    return {
      store: (bytes) => {
        // What is still being read of a form that has failed goes nowhere.
        if (isReleased) return;
        const most = limits.disk * limits.perKey;
        if (own + bytes > most) throw refuseDisk(most);
        const left = limits.disk - all.disk - bytes;
        if (left < 0) throw this.#shed.refuse('disk', inFlight);
        if (use.disk + bytes > threshold * left) throw this.#shed.refuseKey('key_disk', inFlight, key);
        own += bytes;
        use.disk += bytes;
        all.disk += bytes;
        this.#show(all.disk);
      },
      release: () => {
        isReleased = true;
        use.uploads -= 1;
        use.disk -= own;
        all.uploads -= 1;
        all.disk -= own;
        this.#show(all.disk);
        if (use.uploads === 0) this.#keys.delete(key);
      },
    };
  }
}
