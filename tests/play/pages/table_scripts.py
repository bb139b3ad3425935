"""Checks of a table in a page, as JavaScript functions that return the faulty parts."""

# Elements that reach beyond the window or its table, and regions that scroll sideways.
OUTSIDE = """() => {
    const parts = [...document.querySelectorAll(".ch-table *")]
        .filter(e => e.checkVisibility() && !e.closest(".ch-spoken, .is-quiet"));
    const far = parts.filter(e => {
        const box = e.getBoundingClientRect();
        return box.width && (box.right > innerWidth + 1 || box.left < -1);
    }).filter(e => !e.closest(".ch-art, .ch-actions > *"));
    // Buttons outside their row must become visible when they are scrolled to.
    const lost = [...document.querySelectorAll(".ch-actions .ch-button")].filter(e => {
        e.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
        const box = e.getBoundingClientRect();
        return box.right > innerWidth + 1 || box.left < -1 || box.width > innerWidth;
    });
    const wide = [...document.querySelectorAll(".ch-felt, .ch-bottom, .ch-layout")]
        .filter(e => e.scrollWidth > e.clientWidth + 1);
    return [...far, ...lost, ...wide].map(e => e.outerHTML.slice(0, 120));
}"""

# Texts of one card that overlap each other, or that reach beyond their card.
OVERLAPS = """() => {
    const boxOf = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const inner = range.getBoundingClientRect();
        const box = node.getBoundingClientRect();
        const edge = (name, pick) => pick(inner[name], box[name]);
        return {left: edge("left", Math.max), right: edge("right", Math.min),
            top: edge("top", Math.max), bottom: edge("bottom", Math.min)};
    };
    const names = "corner title text detail head foot mark letter".split(" ");
    const faults = [];
    for (const card of document.querySelectorAll(".ch-card")) {
        if (!card.checkVisibility() || card.matches(".ch-size-chip")) continue;
        const whole = card.getBoundingClientRect();
        const texts = names.map(name => card.querySelector(`:scope > .ch-${name}`))
            .filter(node => node?.checkVisibility()).map(node => [node, boxOf(node)]);
        texts.forEach(([node, a], n) => {
            const isOut = a.bottom > whole.bottom + 1.5 || a.top < whole.top - 1.5;
            const hit = texts.slice(n + 1).find(([, b]) =>
                Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
                Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2);
            if (isOut || hit) faults.push(`${card.className}: ${node.className} ${node.textContent}`
                + (hit ? ` on ${hit[0].className} ${hit[0].textContent}` : " is outside"));
        });
    }
    return faults;
}"""

# Corners of cards in hands and before seats that another card covers.
COVERED = """() => {
    const boxOfText = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect();
    };
    return [...document.querySelectorAll(".ch-look-hand .ch-card, .ch-lane .ch-card")]
    .filter(card => {
        card.scrollIntoView({block: "nearest"});
        const text = card.querySelector(".ch-corner, .ch-letter") ?? card;
        const box = text === card ? {x: card.getBoundingClientRect().x + 4,
            y: card.getBoundingClientRect().y + 4, width: 0, height: 0}
            : boxOfText(text);
        const points = [[box.x + 1, box.y + 1], [box.x + box.width - 1, box.y + box.height - 1]];
        return !points.every(([x, y]) => card.contains(document.elementFromPoint(x, y)));
    }).map(card => card.ariaLabel);
}"""

# The spots of the elements that are visible, or that a button of their pile reveals.
REACHED = """() => [...document.querySelectorAll(".ch-table .ch-spot")]
    .filter(e => e.checkVisibility() || e.closest(".ch-area")?.querySelector("[data-pile]"))
    .map(e => e.dataset.spot)"""

# Spots without a name, lists of cards without a label, and images without a text.
NAMELESS = """() => [...document.querySelectorAll(".ch-spot, .ch-button, ul.ch-cards, section")]
    .filter(e => !(e.ariaLabel || (e.matches("button") && e.textContent.trim())))
    .map(e => e.outerHTML.slice(0, 120))"""

# Texts whose contrast to a possible background is below WCAG level AA.
FAINT = """() => {
    const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const seen = new Map();
    const rgba = (text) => {
        if (!seen.has(text)) {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = text;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
            seen.set(text, [r, g, b, a / 255]);
        }
        return seen.get(text);
    };
    const over = ([r, g, b, a], [x, y, z]) =>
        [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
    const light = (colour) => colour.slice(0, 3).map(n => n / 255)
        .map(n => n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4)
        .reduce((sum, n, i) => sum + n * [0.2126, 0.7152, 0.0722][i], 0);
    const variable = (e, name) => getComputedStyle(e).getPropertyValue(name);
    // The colours of a gradient are between its two ends, so check the ends.
    const grounds = (e) => {
        if (!e) return [[255, 255, 255, 1]];
        const colour = rgba(getComputedStyle(e).backgroundColor);
        const ends = e.matches(".ch-felt")
            ? ["--ch-felt", "--ch-felt-light"].map(name => rgba(variable(e, name)))
            : e.matches(".ch-face:not(.is-faint)")
                ? [colour, rgba(variable(e, "--ch-paper"))] : [colour];
        if (ends.every(([, , , a]) => a === 1)) return ends;
        return grounds(e.parentElement).map(ground => over(colour, ground));
    };
    const faults = new Set();
    for (const e of document.querySelectorAll(".ch-table *")) {
        const hasText = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
        if (!hasText || !e.checkVisibility() || e.closest(".ch-spoken, .is-quiet")) continue;
        const ink = rgba(getComputedStyle(e).color);
        for (const ground of grounds(e)) {
            const lights = [light(over(ink, ground)), light(ground)].sort((a, b) => b - a);
            const ratio = (lights[0] + 0.05) / (lights[1] + 0.05);
            if (ratio < 4.5) faults.add(`${e.className} on ${e.parentElement.className}: ${ratio}`);
        }
    }
    return [...faults];
}"""

# Choices whose spots are all smaller than a fingertip, and the bottom panel if it is too high.
SMALL = """() => {
    const size = (e) => {
        const player = e.matches(".ch-seat-line") && e.closest(".ch-seat");
        const target = player || (e.closest(".ch-area.is-legal") ?? e);
        const slot = (target.closest(".ch-slot") ?? target).getBoundingClientRect();
        return Math.min(slot.width, target.getBoundingClientRect().width, slot.height + 8);
    };
    const all = [...document.querySelectorAll(".ch-spot")];
    const faults = shownView().choices.filter(choice => {
        const keys = choice.spots.map(spot => spot.join(":"));
        const parts = all.filter(e => keys.includes(e.dataset.spot)
            || e.dataset.action === String(choice.action)
            || (choice.counts && e.dataset.counts === choice.verb));
        return !parts.some(e => size(e) >= 43.5);
    }).map(choice => choice.name);
    const isHigh = document.querySelector(".ch-bottom").offsetHeight > innerHeight / 3 + 1;
    return isHigh ? [...faults, "the panel is too high"] : faults;
}"""

# Regions that scroll sideways, a bottom panel that is too high, and hidden parts of the panel.
WIDE = """() => {
    const faults = [...document.querySelectorAll(".ch-layout, .ch-header, .ch-felt, .ch-bottom")]
        .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => `${e.className} scrolls`);
    if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is too wide");
    const panel = document.querySelector(".ch-bottom");
    if (panel.offsetHeight > innerHeight / 3 + 1) faults.push("the panel is too high");
    if (panel.scrollHeight > panel.clientHeight + 1) faults.push("the panel has no room");
    return faults;
}"""

# Faces whose name does not begin with the first visible text, or does not contain the other visible
# texts in their order. Names do not include the rules of cards.
UNSPOKEN = """() => {
    const plain = (text) => text.replace(/[\\s\\u00ad\\p{P}\\p{S}]/gu, "").toLowerCase();
    const parts = ".ch-head, .ch-corner, .ch-title, .ch-mark, .ch-foot, .ch-detail";
    return [...document.querySelectorAll(".ch-spot.ch-face")].filter(card => {
        const seen = [...card.querySelectorAll(parts)].filter(e => e.checkVisibility());
        let name = plain(card.ariaLabel);
        return seen.some((e, n) => {
            const at = name.indexOf(plain(e.dataset.text ?? e.textContent));
            name = name.slice(at);
            return at < 0 || (n === 0 && at > 0);
        });
    }).map(card => card.ariaLabel);
}"""

# The parts of a table, except the log, that scroll vertically.
TALL = """() => {
    const parts = [".ch-layout", ".ch-felt", ".ch-bottom", ".ch-look-hand", ".ch-actions"];
    return parts.filter(name => [...document.querySelectorAll(name)]
        .some(e => e.scrollHeight > e.clientHeight + 1)).map(name => `${name} scrolls down`);
}"""
# Labels whose last letter lies under the next card of a row or pile.
CUT = """() => [...document.querySelectorAll(".ch-card :is(.ch-corner, .ch-letter)")]
    .filter(label => label.checkVisibility())
    .filter(label => {
        const card = label.closest(".ch-card"), text = document.createRange();
        text.selectNodeContents(label);
        card.scrollIntoView({block: "nearest"});
        const { right, top, height } = text.getBoundingClientRect();
        const above = document.elementFromPoint(right - 3, top + height / 2);
        return above?.closest(".ch-card") && above.closest(".ch-card") !== card;
    })
    .map(label => `${label.textContent} in ${label.closest(".ch-area").className}`)"""
