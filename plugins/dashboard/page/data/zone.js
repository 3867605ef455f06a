/** Where the browser keeps the choice. */
const NAME = 'koine-zone';
const LOCAL = 'local';

let isLocal = globalThis.localStorage?.getItem(NAME) === LOCAL;

export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone of all times that are shown: `UTC` or `Europe/Berlin`. */
export const zoneName = () => (isLocal ? LOCAL_ZONE : 'UTC');

/** @param {string} name `UTC`, or another name for the zone of the browser */
export const chooseZone = (name) => {
  isLocal = name !== 'UTC';
  localStorage.setItem(NAME, isLocal ? LOCAL : 'utc');
};

/** @param {string | number} time @param {boolean} local */
const write = (time, local) => {
  const date = new Date(time);
  return new Date(date.getTime() - (local ? date.getTimezoneOffset() * 60_000 : 0)).toISOString();
};

/** ISO 8601 as the clocks of the chosen zone show it, with a Z that means nothing. @param {string | number} time */
export const inZone = (time) => write(time, isLocal);

/** `2026-11-21 09:00:07 UTC · 10:00:07 Europe/Berlin`: the chosen zone first. @param {string | number} time */
export const inBothZones = (time) => {
  const [first, other] = [write(time, isLocal), write(time, !isLocal)].map((text) => text.slice(0, 19).split('T'));
  const [day = '', clock = ''] = first ?? [];
  const [otherDay = '', otherClock = ''] = other ?? [];
  const beside = `${otherDay === day ? '' : `${otherDay} `}${otherClock} ${isLocal ? 'UTC' : LOCAL_ZONE}`;
  return `${day} ${clock} ${zoneName()}${LOCAL_ZONE === 'UTC' ? '' : ` · ${beside}`}`;
};

/** A text of the chosen zone, `2026-11-21T09:00`, as ISO 8601 in UTC. @param {string} text */
export const readInZone = (text) => new Date(isLocal ? text : `${text}Z`).toISOString();

/** When a day of the chosen zone began. @param {number} now @param {number} [before] days before the current one */
export const startOfDay = (now, before = 0) => {
  const at = new Date(now);
  if (isLocal) return new Date(at.getFullYear(), at.getMonth(), at.getDate() - before).getTime();
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() - before);
};
