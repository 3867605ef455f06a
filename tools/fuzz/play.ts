import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf, type Random } from './random.ts';

/** What can be fuzzed, in the order of a run. */
export const surfaceNames = [
  'requests',
  'answers',
  'form',
  'stored',
  'socket',
  'admin',
  'scim',
  'sign-in',
  'jwt',
  'filter',
  'importers',
  'csv',
] as const;
export type SurfaceName = (typeof surfaceNames)[number];

export interface FuzzOptions {
  readonly seed: number;
  /** The run ends after this time or this number of cases. */
  readonly seconds: number;
  readonly cases: number;
  /** The first case. A single case is repeated by its number. */
  readonly from?: number;
  /** Plants faults that must be found: for tests of the fuzzer. */
  readonly planted?: boolean;
  /** The first case with faults, on surfaces that plant them in results: the cases before it must find nothing. */
  readonly plantedFrom?: number;
}

/** Something that must never happen. */
export interface Finding {
  readonly seed: number;
  readonly surface: SurfaceName;
  /** The case that was running, or the last one that started. */
  readonly number: number;
  readonly what: string;
}
export interface FuzzReport {
  readonly cases: number;
  /** How often each outcome was seen without planted faults: the status of a response, or how a command ended. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
  /** Bytes of the heap after a collection, when the last target was warm and at its end. */
  readonly heap: readonly [warm: number, end: number];
}

export interface FuzzCase {
  readonly number: number;
  /** Cases of one lane run one after the other. */
  readonly lane: number;
  readonly random: Random;
  /** Its results get faults that must be found. */
  readonly isPlanted: boolean;
}
/** A finding. @param number default: the last case that started */
export type ReportFinding = (what: string, number?: number) => void;

/** The process of a running program. */
export interface FuzzedProcess {
  readonly exited: boolean;
  /** Bytes of the heap after a collection. */
  heap(): Promise<number>;
}
/** The running program that gets the cases. */
export interface Target {
  readonly process: FuzzedProcess;
  /** @returns the outcome */
  play(fuzzCase: FuzzCase): Promise<string>;
  stop(): Promise<void>;
}
/** What is fuzzed. */
export interface Surface {
  readonly name: SurfaceName;
  readonly lanes: number;
  /** A new target is started after so many cases, whose state would otherwise grow without end. */
  readonly casesPerTarget: number;
  /** @param round counts the targets: a case has the same target in every run */
  start(options: FuzzOptions, report: ReportFinding, round: number): Promise<Target>;
}

const WARM = 200;
const HEAP_GROWTH = 64 * 1_048_576;

class Run {
  readonly #surface: Surface;
  readonly #options: FuzzOptions;
  readonly #findings: Finding[] = [];
  readonly #outcomes = new Map<string, number>();
  readonly #first: number;
  readonly #deadline: number;
  #heap: FuzzReport['heap'] = [0, 0];
  #next: number;

  constructor(surface: Surface, options: FuzzOptions) {
    this.#surface = surface;
    this.#options = options;
    this.#first = options.from ?? 0;
    this.#next = this.#first;
    this.#deadline = performance.now() + options.seconds * 1_000;
  }

  async play(): Promise<FuzzReport> {
    const { casesPerTarget } = this.#surface;
    const last = this.#first + this.#options.cases;
    for (let isFirst = true; this.#next < last && (isFirst || !this.#isOver()); isFirst = false) {
      const round = Math.floor(this.#next / casesPerTarget);
      await this.#playRound(round, Math.min(last, (round + 1) * casesPerTarget));
    }
    const cases = this.#next - this.#first;
    return { cases, outcomes: this.#outcomes, findings: this.#findings, heap: this.#heap };
  }

  readonly #report: ReportFinding = (what, number = Math.max(this.#first, this.#next - 1)) => {
    this.#findings.push({ seed: this.#options.seed, surface: this.#surface.name, number, what });
  };

  #makeCase(number: number, lane: number): FuzzCase {
    const { seed, planted = false, plantedFrom = 0 } = this.#options;
    return { number, lane, random: randomOf(seed, number), isPlanted: planted && number >= plantedFrom };
  }

  #isOver(): boolean {
    return performance.now() >= this.#deadline;
  }

  async #playRound(round: number, until: number): Promise<void> {
    const begin = this.#next;
    const target = await this.#surface.start(this.#options, this.#report, round);
    try {
      await this.#playLanes(target, Math.min(until, begin + WARM));
      const warm = target.process.exited ? 0 : await target.process.heap();
      await this.#playLanes(target, until);
      await sleep(100);
      const end = target.process.exited ? 0 : await target.process.heap();
      this.#heap = [warm, end];
      if (target.process.exited) this.#report('the program exited');
      else if (this.#next - begin > WARM && end - warm > HEAP_GROWTH)
        this.#report(`the heap grew from ${warm} to ${end} bytes`);
    } finally {
      // A program that has ended gets no more cases.
      if (target.process.exited) this.#next = until;
      await target.stop();
    }
  }

  #playLanes(target: Target, until: number): Promise<unknown> {
    return Promise.all(Array.from({ length: this.#surface.lanes }, (_, lane) => this.#playLane(target, lane, until)));
  }

  async #playLane(target: Target, lane: number, until: number): Promise<void> {
    while (this.#next < until && !this.#isOver() && !target.process.exited) {
      const number = this.#next;
      this.#next += 1;
      const fuzzCase = this.#makeCase(number, lane);
      try {
        const outcome = await target.play(fuzzCase);
        if (!fuzzCase.isPlanted) this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
      } catch (thrown) {
        this.#report(`no response: ${String(thrown)}`, number);
      }
    }
  }
}

/** Plays random cases. A seed and a number always make the same case. */
export const playCases = (surface: Surface, options: FuzzOptions): Promise<FuzzReport> =>
  new Run(surface, options).play();
