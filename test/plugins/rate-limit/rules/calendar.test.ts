import { expect } from 'chai';
import { createCalendar } from '../../../../plugins/rate-limit/rules/calendar.ts';
import type { CalendarWindow } from '../../../../core/api/index.ts';

const boundsOf = (timeZone: string, window: CalendarWindow, now: string): readonly string[] =>
  createCalendar(timeZone)
    .bounds(window, Date.parse(now))
    .map((at) => new Date(at).toISOString().replace(':00.000Z', 'Z'));

const cases: readonly (readonly [
  title: string,
  timeZone: string,
  window: CalendarWindow,
  now: string,
  bounds: readonly string[],
])[] = [
  [
    'an hour',
    'UTC',
    'hour',
    '2026-11-21T10:17:03.250Z',
    ['2026-11-21T09:00Z', '2026-11-21T10:00Z', '2026-11-21T11:00Z', '2026-11-21T12:00Z'],
  ],
  [
    'an hour of a zone with half an hour',
    'Asia/Kolkata',
    'hour',
    '2026-11-21T10:17:00Z',
    ['2026-11-21T08:30Z', '2026-11-21T09:30Z', '2026-11-21T10:30Z', '2026-11-21T11:30Z'],
  ],
  [
    'a day',
    'UTC',
    'day',
    '2026-11-21T10:00:00Z',
    ['2026-11-20T00:00Z', '2026-11-21T00:00Z', '2026-11-22T00:00Z', '2026-11-23T00:00Z'],
  ],
  [
    'its first moment',
    'UTC',
    'day',
    '2026-11-21T00:00:00Z',
    ['2026-11-20T00:00Z', '2026-11-21T00:00Z', '2026-11-22T00:00Z', '2026-11-23T00:00Z'],
  ],
  [
    'its last moment',
    'UTC',
    'day',
    '2026-11-21T23:59:59.999Z',
    ['2026-11-20T00:00Z', '2026-11-21T00:00Z', '2026-11-22T00:00Z', '2026-11-23T00:00Z'],
  ],
  [
    'the day of the zone, not of UTC',
    'Asia/Tokyo',
    'day',
    '2026-11-21T16:00:00Z',
    ['2026-11-20T15:00Z', '2026-11-21T15:00Z', '2026-11-22T15:00Z', '2026-11-23T15:00Z'],
  ],
  [
    'a day of 23 hours',
    'Europe/Berlin',
    'day',
    '2026-03-29T12:00:00Z',
    ['2026-03-27T23:00Z', '2026-03-28T23:00Z', '2026-03-29T22:00Z', '2026-03-30T22:00Z'],
  ],
  [
    'a day of 25 hours',
    'Europe/Berlin',
    'day',
    '2026-10-25T12:00:00Z',
    ['2026-10-23T22:00Z', '2026-10-24T22:00Z', '2026-10-25T23:00Z', '2026-10-26T23:00Z'],
  ],
  [
    'a day without a midnight',
    'Africa/Cairo',
    'day',
    '2026-04-24T12:00:00Z',
    ['2026-04-22T22:00Z', '2026-04-23T22:00Z', '2026-04-24T21:00Z', '2026-04-25T21:00Z'],
  ],
  [
    'a week from Monday',
    'UTC',
    'week',
    '2026-11-22T23:00:00Z',
    ['2026-11-09T00:00Z', '2026-11-16T00:00Z', '2026-11-23T00:00Z', '2026-11-30T00:00Z'],
  ],
  [
    'a week on its Monday',
    'UTC',
    'week',
    '2026-11-23T00:00:00Z',
    ['2026-11-16T00:00Z', '2026-11-23T00:00Z', '2026-11-30T00:00Z', '2026-12-07T00:00Z'],
  ],
  [
    'a week in which clocks change',
    'America/New_York',
    'week',
    '2026-11-04T12:00:00Z',
    ['2026-10-26T04:00Z', '2026-11-02T05:00Z', '2026-11-09T05:00Z', '2026-11-16T05:00Z'],
  ],
  [
    'a month over the end of a year',
    'UTC',
    'month',
    '2026-12-31T23:59:59Z',
    ['2026-11-01T00:00Z', '2026-12-01T00:00Z', '2027-01-01T00:00Z', '2027-02-01T00:00Z'],
  ],
  [
    'a February of 29 days, on its last',
    'UTC',
    'month',
    '2028-02-29T12:00:00Z',
    ['2028-01-01T00:00Z', '2028-02-01T00:00Z', '2028-03-01T00:00Z', '2028-04-01T00:00Z'],
  ],
  [
    'a month on its 31st',
    'UTC',
    'month',
    '2027-01-31T12:00:00Z',
    ['2026-12-01T00:00Z', '2027-01-01T00:00Z', '2027-02-01T00:00Z', '2027-03-01T00:00Z'],
  ],
  [
    'a month in which clocks change',
    'Europe/Berlin',
    'month',
    '2026-03-15T00:00:00Z',
    ['2026-01-31T23:00Z', '2026-02-28T23:00Z', '2026-03-31T22:00Z', '2026-04-30T22:00Z'],
  ],
];

describe('rate-limit: calendar windows', () => {
  for (const [title, timeZone, window, now, bounds] of cases) {
    it(`calendar windows handle ${title}: ${timeZone} at ${now}`, () => {
      expect(boundsOf(timeZone, window, now)).to.deep.equal(bounds);
    });
  }

  for (const window of ['hour', 'day', 'week', 'month'] as const) {
    it(`calendar windows are the same for UTC and for an equal zone of the tables: ${window}`, () => {
      const [own, read] = [createCalendar('UTC'), createCalendar('Etc/UTC')];
      for (const now of ['1970-01-01T00:00:00.999Z', '2024-02-29T23:59:59.999Z', '2026-11-23T00:00:00.001Z'].map(
        Date.parse,
      ))
        expect(own.bounds(window, now)).to.deep.equal(read.bounds(window, now));
    });
  }

  it('calendar windows count the hour that clocks repeat as two', () => {
    const calendar = createCalendar('Europe/Berlin');
    const hours = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map(
      (now) => calendar.bounds('hour', Date.parse(now))[1],
    );
    expect(hours).to.deep.equal([Date.parse('2026-10-25T00:00:00Z'), Date.parse('2026-10-25T01:00:00Z')]);
  });

  it('calendar windows return the same list until the window ends', () => {
    const calendar = createCalendar('UTC');
    const morning = calendar.bounds('day', Date.parse('2026-11-21T08:00:00Z'));
    expect(calendar.bounds('day', Date.parse('2026-11-21T23:59:59.999Z'))).to.equal(morning);
    expect(calendar.bounds('day', Date.parse('2026-11-22T00:00:00Z'))[1]).to.equal(morning[2]);
    expect(calendar.bounds('day', Date.parse('2026-11-20T12:00:00Z'))[1]).to.equal(morning[0]);
  });

  it('calendar windows need an existing time zone', () => {
    expect(() => createCalendar('Europe/Belin')).to.throw('timeZone: "Europe/Belin" is not a time zone');
  });
});
