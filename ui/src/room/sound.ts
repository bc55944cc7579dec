/**
 * The sounds of a table, made by the browser itself: the ball on the track, the frets, chips.
 *
 * A browser gives sound to a page only once somebody has touched it, so the first tap or key makes it.
 */

/** What is needed of a browser's audio; tests give another. */
export type MakeAudio = () => AudioContext;

interface Rolling {
  readonly source: AudioBufferSourceNode;
  readonly volume: GainNode;
  readonly tone: BiquadFilterNode;
}

const LOUD = 0.5;
/** The ball meets the frets in the last part of its fall, ever faster and softer. */
const FRETS = 9;
const FRETS_LAST = 0.95;

export class Sound {
  readonly #make: MakeAudio;
  readonly #isOn: () => boolean;
  #audio: AudioContext | null = null;
  #out: GainNode | null = null;
  #noise: AudioBuffer | null = null;
  #rolling: Rolling | null = null;

  constructor(isOn: () => boolean, make: MakeAudio = () => new AudioContext()) {
    this.#isOn = isOn;
    this.#make = make;
  }

  /** Makes the sounds possible; called with a touch or a key, which a browser demands. */
  wake(): void {
    if (this.#audio || !this.#isOn()) return;
    const audio = this.#make();
    this.#audio = audio;
    this.#out = audio.createGain();
    this.#out.gain.value = LOUD;
    this.#out.connect(audio.destination);
    this.#noise = noise(audio);
  }

  /** The sound was turned off, or the page is left. */
  hush(): void {
    this.rest();
    void this.#audio?.close();
    this.#audio = this.#out = this.#noise = null;
  }

  /** The ball runs on the track. */
  roll(): void {
    const audio = this.#ready;
    if (!audio || this.#rolling) return;
    const now = audio.currentTime;
    const source = audio.createBufferSource();
    source.buffer = this.#noise;
    source.loop = true;
    const tone = audio.createBiquadFilter();
    tone.type = "bandpass";
    tone.Q.value = 2.2;
    tone.frequency.setValueAtTime(950, now);
    tone.frequency.exponentialRampToValueAtTime(520, now + 12);
    const volume = audio.createGain();
    volume.gain.setValueAtTime(0.0001, now);
    volume.gain.exponentialRampToValueAtTime(0.22, now + 0.4);
    volume.gain.exponentialRampToValueAtTime(0.1, now + 12);
    source.connect(tone).connect(volume).connect(this.#out!);
    source.start(now);
    this.#rolling = { source, volume, tone };
  }

  /** The ball comes down, and lies still after so many seconds. */
  fall(seconds: number): void {
    const audio = this.#ready;
    if (!audio || seconds <= 0) {
      this.rest();
      return;
    }
    const now = audio.currentTime;
    const frets = Math.min(FRETS_LAST, seconds);
    this.#fade(now, seconds - frets);
    for (let hop = 0; hop < FRETS; hop += 1) {
      // The hops follow each other faster, and the last is the softest.
      const share = 1 - (1 - hop / FRETS) ** 1.6;
      this.#click(now + seconds - frets * (1 - share), 2600 - 90 * hop, 0.34 * 0.82 ** hop, 0.035);
    }
    this.#click(now + seconds, 900, 0.3, 0.09);
  }

  /** The ball is silent. */
  rest(): void {
    if (this.#audio && this.#rolling) this.#fade(this.#audio.currentTime, 0);
  }

  /** A chip is laid. */
  chip(): void {
    const audio = this.#ready;
    if (!audio) return;
    this.#click(audio.currentTime, 3400, 0.3, 0.03);
    this.#click(audio.currentTime + 0.045, 2700, 0.2, 0.04);
  }

  /** Chips are pushed over: what was won. */
  gain(): void {
    const audio = this.#ready;
    if (!audio) return;
    for (let each = 0; each < 7; each += 1)
      this.#click(audio.currentTime + 0.075 * each, 2500 + 170 * (each % 3), 0.24, 0.035);
  }

  get #ready(): AudioContext | null {
    return this.#isOn() ? this.#audio : null;
  }

  #fade(now: number, after: number): void {
    const rolling = this.#rolling;
    this.#rolling = null;
    if (!rolling) return;
    const { gain } = rolling.volume;
    gain.cancelScheduledValues(now);
    gain.setValueAtTime(Math.max(0.0001, gain.value), now);
    gain.exponentialRampToValueAtTime(0.0001, now + after + 0.15);
    rolling.source.stop(now + after + 0.2);
  }

  /** A short knock of something hard. */
  #click(at: number, high: number, loud: number, long: number): void {
    const audio = this.#audio!;
    const source = audio.createBufferSource();
    source.buffer = this.#noise;
    const tone = audio.createBiquadFilter();
    tone.type = "bandpass";
    tone.frequency.value = high;
    tone.Q.value = 7;
    const volume = audio.createGain();
    volume.gain.setValueAtTime(loud, at);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + long);
    source.connect(tone).connect(volume).connect(this.#out!);
    source.start(at, at % 0.9, long + 0.02);
  }
}

/** A second of noise, from which every sound is filtered. */
function noise(audio: AudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let at = 0; at < data.length; at += 1) data[at] = 2 * Math.random() - 1;
  return buffer;
}
