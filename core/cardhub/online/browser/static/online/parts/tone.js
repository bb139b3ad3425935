// A short, soft sound, synthesized by the browser.

const FREQUENCIES = [523.25, 783.99];

/** Play the sound; browsers allow it after the first click or key on the page. */
export function playTone() {
  const audio = new AudioContext();
  FREQUENCIES.forEach((frequency, number) => {
    const start = audio.currentTime + number * 0.12;
    const gain = new GainNode(audio, { gain: 0 });
    const source = new OscillatorNode(audio, { frequency });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(0.08, start + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + 0.35);
    source.connect(gain).connect(audio.destination);
    source.start(start);
    source.stop(start + 0.4);
  });
  setTimeout(() => void audio.close(), 1000);
}
