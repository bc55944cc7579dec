/** The croupier's calls aloud, with the browser's own voice. */

export const hasVoice = (): boolean =>
  typeof speechSynthesis !== "undefined" && typeof SpeechSynthesisUtterance !== "undefined";

/** Says a call in the language in which the house says it; a newer call cuts an older one short. */
export function say(text: string, language: string): void {
  if (!hasVoice()) return;
  speechSynthesis.cancel();
  const call = new SpeechSynthesisUtterance(text);
  call.lang = language;
  call.rate = 0.95;
  const voices = speechSynthesis.getVoices();
  const own = voices.find((voice) => voice.lang.slice(0, 2).toLowerCase() === language);
  if (own) call.voice = own;
  speechSynthesis.speak(call);
}

export function hush(): void {
  if (hasVoice()) speechSynthesis.cancel();
}
