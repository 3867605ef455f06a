import { randomUUID } from 'node:crypto';
import type { BaselineSpan, BucketState, Charge } from '../store.ts';
import { Demand, SPAN_MS } from './demand.ts';
import type { GrantReply, GrantReport, Spending } from './grant-call.ts';
import { addSpending, NEVER, type Clocks, type Holding, type Taken } from './holding.ts';

/** What is not spent is at most this part of what is left, here as in the script. */
const PARTS_LEFT = 20;
const expired: Clocks = { monotonic: -Infinity, wall: -Infinity };

/** What this process holds of one bucket. */
export class Grant {
  readonly demand = new Demand();
  /** The last charge of the bucket: its bucket can have another limit after a reload. */
  #charge: Charge;
  #id = randomUUID();
  /** The number of the last call, and of the last that was answered. */
  #call = 0;
  #answered = 0;
  readonly #holdings = new Map<number, Holding>();
  #current: Holding | undefined;
  /** What exchanges have used beyond their reservations in a sliding window: it counts from now. */
  #debits: Spending[] = [];
  /** By the last response: the current position, and the state. */
  #mark = 0;
  #state: BucketState | undefined;
  #stateAt = 0;
  #staleBaseline: BaselineSpan | undefined;
  /** Until then the current holding can be spent, by both clocks. */
  #until = expired;
  /** The fault of the store after which it was last confirmed. */
  #fault: number | undefined;
  #isChanged = false;
  #sentAt = -Infinity;
  /** The last call wanted more. */
  #isWanted = false;
  /** What is not spent stays counted after a crash, as each request does. */
  #keepsRest = false;

  constructor(charge: Charge) {
    this.#charge = charge;
  }

  /** Whether a charge can be taken now. @param fault when the last fault of the store was over */
  covers(charge: Charge, now: Clocks, fault: number | undefined): boolean {
    const { bucket, bounds, amount } = charge;
    const known = this.#charge.bucket;
    this.#charge = charge;
    // A reload has changed the amount: what is held was a part of another.
    if (known.limit !== bucket.limit) this.#until = expired;
    if (this.#state === undefined || this.#fault !== fault || !this.#isValid(now)) return false;
    const current = this.#current;
    if (amount > 0 && (current === undefined || current.free < amount)) return false;
    // The windows begin at other times if the time zone was changed.
    return bounds === undefined || current === undefined || bounds.includes(current.mark);
  }

  /** Takes a charge that it covers. @returns where it was taken; undefined if it takes nothing */
  take({ amount, kept = 0 }: Charge): Holding | undefined {
    this.expect(amount, kept);
    const current = this.#current;
    if (current === undefined || amount === 0) return undefined;
    current.free -= amount;
    current.held += amount;
    current.kept += Math.min(kept, amount);
    this.#isChanged = true;
    return current;
  }

  /** Counts what a request has taken that could be decided here. */
  expect(amount: number, kept = 0): void {
    this.demand.take(amount);
    this.#keepsRest ||= kept > 0;
  }

  /** The state after a charge was taken, as far as it is known here: what others take since the last call is not. */
  stateAt(now: Clocks): BucketState {
    const { remaining = 0, resetMs = 0, spent } = this.#state ?? {};
    const current = this.#current;
    const state = {
      remaining: remaining + (current?.free ?? 0),
      resetMs: this.#charge.bucket.kind === 'leases' ? resetMs : Math.max(0, resetMs - (now.monotonic - this.#stateAt)),
      shadowed: false,
      ...(spent === undefined ? {} : { spent: (current && this.spentIn(current)) ?? spent }),
    };
    const staleBaseline = this.#staleBaseline;
    if (staleBaseline === undefined) return state;
    this.#staleBaseline = undefined;
    return { ...state, staleBaseline };
  }

  /** What is spent in the calendar window of a holding, as far as it is known here; undefined if that is not known. */
  spentIn({ mark, spent }: Holding): number | undefined {
    const { spent: counted } = this.#state ?? {};
    if (counted === undefined || mark !== this.#mark) return undefined;
    return spent.reduce((sum, { amount }) => sum + amount, counted);
  }

  /**
   * Replaces what an exchange had reserved with what it has used.
   * @returns whether it has used more than is held here, so that the store must count it at once
   */
  settle({ holding, charge: { amount, kept = 0 } }: Taken, actual: number, endedAt: number, now: Clocks): boolean {
    if (holding === undefined || holding.isLost) return false;
    const { kind } = this.#charge.bucket;
    const call = this.#call + 1;
    this.#isChanged = true;
    holding.held -= amount;
    holding.kept -= Math.min(kept, amount);
    const used = kind === 'leases' ? 0 : actual;
    // In a sliding window, what was used beyond the reservation counts from now.
    const inPlace = kind === 'window' ? Math.min(used, amount) : used;
    holding.free += amount - inPlace;
    addSpending(holding.spent, call, kind === 'calendar' ? endedAt : NEVER, inPlace);
    return inPlace < used ? this.#debit(used - inPlace, call, now) : holding.free < 0;
  }

  /** Whether more should be taken before the current holding is used up. @param now monotonic */
  isLow(now: number): boolean {
    return (this.#current?.free ?? 0) < this.demand.target(now) / 8;
  }

  /** Whether a part of what is held is not spent. */
  get hasRest(): boolean {
    for (const { free } of this.#holdings.values()) if (free > 0) return true;
    return false;
  }

  get holdsNothing(): boolean {
    return this.#holdings.size === 0;
  }

  /** Gives back what is not spent with the next call, and wants nothing for a while. @param now monotonic */
  giveBack(now: number): void {
    this.demand.pause(now);
    this.#isChanged ||= this.#holdings.size > 0;
    this.#current = undefined;
  }

  /** Ends a span. @returns whether it is in use: otherwise it can be forgotten */
  endSpan(): boolean {
    return this.demand.endSpan() || this.#isChanged || this.#holdings.size > 0;
  }

  /** Whether there is something to report, to take or to give back. @param now monotonic */
  isDue(now: number, leaseMs: number): boolean {
    if (this.#isChanged || (this.demand.isOpen(now) && this.demand.isTaken)) return true;
    return this.#holdings.size > 0 && (this.hasRest || now - this.#sentAt >= leaseMs / 3);
  }

  /** Whether it was reported so shortly before that the next span is early enough. @param now monotonic */
  isFresh(now: number): boolean {
    return now - this.#sentAt < SPAN_MS / 2;
  }

  /** What the next call says of it. Until it is answered, what it gives back is not spent. */
  report(now: Clocks): GrantReport {
    const left = (this.#state?.remaining ?? Infinity) + (this.#current?.free ?? 0);
    const target = Math.min(this.demand.target(now.monotonic), Math.floor(left / PARTS_LEFT));
    const current = this.#isValid(now) ? this.#current : undefined;
    for (const holding of this.#holdings.values())
      holding.free = holding === current ? Math.max(0, Math.min(holding.free, target)) : 0;
    this.#call += 1;
    this.#isChanged = false;
    this.#sentAt = now.monotonic;
    const wanted = Math.max(0, target - (current?.free ?? 0));
    this.#isWanted = wanted > 0;
    return {
      id: this.#id,
      call: this.#call,
      answered: this.#answered,
      least: this.demand.least,
      keepsRest: this.#keepsRest,
      holdings: [...this.#holdings.values()],
      debits: this.#debits,
      charge: { ...this.#charge, amount: wanted },
    };
  }

  /** The call was not answered: the store may have granted something. The next call has all that is held. */
  fail(): void {
    this.#isChanged = true;
  }

  /**
   * Takes over the response to a call.
   * @param sent when the call was sent
   * @returns false if the store has lost what was held
   */
  accept({ problem, granted, mark, lastsMs, state }: GrantReply, call: number, sent: Clocks, fault?: number): boolean {
    if (problem === 'late') return true;
    if (problem === 'lost') {
      this.#forget();
      return false;
    }
    this.#answered = call;
    this.#debits = this.#debits.filter((debit) => debit.call > call);
    for (const holding of this.#holdings.values()) {
      holding.spent = holding.spent.filter((spending) => spending.call > call);
      if (holding.held === 0 && holding.free <= 0 && holding.spent.length === 0) this.#holdings.delete(holding.mark);
    }
    if (granted > 0) this.#holdingAt(mark).free += granted;
    else if (this.#isWanted) this.demand.pause(sent.monotonic);
    const { staleBaseline, missingBaseline, ...known } = state;
    // Nothing is decided here before the baseline is known.
    this.#state = missingBaseline === undefined ? known : undefined;
    this.#staleBaseline = staleBaseline ?? this.#staleBaseline;
    this.#mark = mark;
    this.#current = this.#holdings.get(mark);
    this.#stateAt = sent.monotonic;
    this.#fault = fault;
    this.#until = { monotonic: sent.monotonic + lastsMs, wall: sent.wall + lastsMs };
    return true;
  }

  #isValid({ monotonic, wall }: Clocks): boolean {
    return monotonic < this.#until.monotonic && wall < this.#until.wall;
  }

  /** Counts from now, in what is held here or else in the store. @returns whether the store must count a part of it */
  #debit(amount: number, call: number, now: Clocks): boolean {
    const current = this.#isValid(now) ? this.#current : undefined;
    const here = Math.min(amount, Math.max(0, current?.free ?? 0));
    if (current !== undefined) {
      current.free -= here;
      addSpending(current.spent, call, NEVER, here);
    }
    addSpending(this.#debits, call, NEVER, amount - here);
    return amount > here;
  }

  #holdingAt(mark: number): Holding {
    const known = this.#holdings.get(mark);
    if (known !== undefined) return known;
    const holding = { mark, free: 0, held: 0, kept: 0, spent: [], isLost: false };
    this.#holdings.set(mark, holding);
    return holding;
  }

  #forget(): void {
    for (const holding of this.#holdings.values()) holding.isLost = true;
    this.#holdings.clear();
    [this.#current, this.#state, this.#debits] = [undefined, undefined, []];
    [this.#id, this.#call, this.#answered] = [randomUUID(), 0, 0];
  }
}
