/** Keeps the page for visits without a network, where a static host serves it. */

export function keepOffline(): void {
  // Without it, as in private windows of some browsers, the page works as long as there is a network.
  void navigator.serviceWorker?.register(new URL('sw.js', document.baseURI)).catch(() => {});
}
