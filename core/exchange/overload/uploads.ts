import type { Metrics } from '../../contracts/services.ts';
import { UPLOAD_BYTES, UPLOADS, type HostLoad } from '../../services/shared-memory/host-load.ts';
import type { UploadHold } from '../client-connection.ts';
import { refuseDisk, type Shed } from './shed.ts';

/** Limits of one host. */
export interface UploadLimits {
  /** Multipart forms open at once. */
  readonly uploads: number;
  /** Bytes on disk of the files of open forms. */
  readonly disk: number;
  /** The share that one key can hold while no other calls: above 0, at most 1. */
  readonly perKey: number;
}

/** Counts the open multipart forms of a host, whose files lie on disk, by the rules of other overload. */
export class UploadBudget {
  readonly #shed: Shed;
  readonly #load: HostLoad;
  readonly #show: (bytes: number) => void;

  constructor(shed: Shed, metrics: Metrics, load: HostLoad) {
    this.#shed = shed;
    this.#load = load;
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
    const load = this.#load;
    const [uploadsOfKey, bytesOfKey] = [load.placeOf('uploads', key), load.placeOf('upload bytes', key)];
    const free = limits.uploads - load.sum(UPLOADS);
    if (free <= 0) throw this.#shed.refuse('uploads', inFlight);
    if (load.sum(uploadsOfKey) > threshold * free) throw this.#shed.refuseKey('key_uploads', inFlight, key);
    const count = (uploads: number, bytes: number): void => {
      load.add(UPLOADS, uploads);
      load.add(uploadsOfKey, uploads);
      load.add(UPLOAD_BYTES, bytes);
      load.add(bytesOfKey, bytes);
      this.#show(load.own(UPLOAD_BYTES));
    };
    count(1, 0);
    let own = 0;
    let isReleased = false;
    return {
      store: (bytes) => {
        // What is still being read of a form that has failed goes nowhere.
        if (isReleased) return;
        const most = limits.disk * limits.perKey;
        if (own + bytes > most) throw refuseDisk(most);
        const left = limits.disk - load.sum(UPLOAD_BYTES) - bytes;
        if (left < 0) throw this.#shed.refuse('disk', inFlight);
        if (load.sum(bytesOfKey) + bytes > threshold * left) throw this.#shed.refuseKey('key_disk', inFlight, key);
        own += bytes;
        count(0, bytes);
      },
      release: () => {
        isReleased = true;
        count(-1, -own);
      },
    };
  }
}
