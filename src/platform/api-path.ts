/** The base path of the API. */
export const API = '/api/external';

/** True for the base path and everything below it. */
export function isApi(path: string): boolean {
  return path === API || path.startsWith(`${API}/`);
}
