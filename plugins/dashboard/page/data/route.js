import { useEffect, useState } from 'preact/hooks';
import { writeQuery } from './api.js';

/**
 * A page of the dashboard and what it shows, as in the fragment of the address: `#/requests?key=acme/web/alice`.
 * @typedef {object} Route
 * @property {string} page
 * @property {string | undefined} id
 * @property {Readonly<Record<string, string>>} query
 */

/** @param {string} hash @returns {Route} */
export const readRoute = (hash) => {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', id] = path.split('/', 2);
  return {
    page: page === '' ? 'overview' : page,
    id: id === undefined || id === '' ? undefined : decodeURIComponent(id),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
};

/**
 * An address that can be shared. Members without a value are left out.
 * @param {string} page
 * @param {{ id?: string | undefined, query?: Readonly<Record<string, string | undefined>> }} [what]
 */
export const linkTo = (page, { id, query = {} } = {}) => {
  const search = writeQuery(query);
  return `#/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search === '' ? '' : `?${search}`}`;
};

/** The route of the address, and a function that changes its query without a new entry in the history. */
export const useRoute = () => {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const update = () => setRoute(readRoute(location.hash));
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return route;
};

/** @param {Route} route @param {Readonly<Record<string, string | undefined>>} change */
export const changeQuery = ({ page, id, query }, change) =>
  location.replace(linkTo(page, { id, query: { ...query, ...change } }));
