-- Run by ../test.sh in a Neovim without configuration: FOLDER, PORTRAIT and WIDE_PHOTO are in the environment.
local folder, passed, failed, said, shown = vim.env.FOLDER, 0, 0, {}, {}
vim.notify = function(text) table.insert(said, text) end
vim.api.nvim_echo = function(chunks, keep) table.insert(shown, { chunks[1][1], keep }) end

local function check(condition, text)
  if not condition then error(text .. "\nsaid: " .. vim.inspect(said), 2) end
end
local function wait(condition, text) check(vim.wait(120000, condition, 10), "not in time: " .. text) end
local function has_said(text)
  return function() return #vim.tbl_filter(function(each) return each:find(text, 1, true) end, said) > 0 end
end
local function expect(text) wait(has_said(text), text) end

-- A document with the cursor on the first `|`, which is left out.
local function document(name, ...)
  local lines = { ... }
  vim.cmd("silent! %bwipeout!")
  if name then vim.api.nvim_buf_set_name(0, name:find("://") and name or folder .. "/" .. name) end
  vim.cmd("filetype detect")
  for row, line in ipairs(lines) do
    local column = line:find("|", 1, true)
    lines[row] = line:gsub("|", "", 1)
    vim.api.nvim_buf_set_lines(0, row - 1, -1, false, { lines[row] })
    if column then vim.api.nvim_win_set_cursor(0, { row, column - 1 }) end
  end
  vim.bo.modified = false
  said = {}
  return vim.api.nvim_get_current_buf()
end
local function line(buffer, row) return vim.api.nvim_buf_get_lines(buffer, row - 1, row, false)[1] or "" end
local function service()
  for _, channel in ipairs(vim.api.nvim_list_chans()) do
    if (channel.argv or {})[1] == vim.env.ATELIER and pcall(vim.fn.jobpid, channel.id) then return channel.id end
  end
end
local function kill_service()
  local job = service()
  if not job then return end
  vim.loop.kill(vim.fn.jobpid(job), "sigkill")
  vim.fn.jobwait({ job }, 120000)
end
local function is_picture(path)
  local file = io.open(path, "rb")
  return file ~= nil and file:read(3) ~= nil and (file:close() or true)
end

local function test(sentence, body)
  local outcome, failure = pcall(body)
  if outcome then
    passed = passed + 1
  else
    failed = failed + 1
    io.stderr:write("FAILED: ", sentence, "\n", tostring(failure), "\n")
  end
  pcall(vim.cmd, "Atelier! cancel")
end

local id = "headshot%-gen_%w+%.jpg"

-- The text as a pattern, in which ID stands for the name of a headshot's file.
local function pattern(text) return "^" .. vim.pesc(text):gsub("ID", (id:gsub("%%", "%%%%"))) .. "$" end

-- A headshot of what the cursor is on leaves `text` in the first line.
local function linked(text, ...)
  local buffer = document(...)
  vim.cmd("Atelier headshot")
  wait(function() return #said > 0 end, "an answer")
  check(line(buffer, 1):find(pattern(text)), line(buffer, 1))
end

test("the picture of a Markdown link is linked after it, relative to the document", function()
  linked("see ![me](me.png) ![headshot](ID) here", "a.md", "see ![m|e](me.png) here")
  check(is_picture(folder .. "/" .. line(0, 1):match(id)), "there is no picture")
  linked("<img src=\"me.png\" width=3> ![headshot](ID)", "b.md", "<img src=\"m|e.png\" width=3>")
  linked("[a](<me.png>) ![headshot](ID) [b](no.png)", "c.md", "[|a](<me.png>) [b](no.png)")
end)
test("a picture in a folder below is linked in that folder", function()
  linked("![](sub%20folder/me.png \"title\") ![headshot](sub%20folder/ID)", "d.md",
    "![](sub%20folder/m|e.png \"title\")")
end)
test("an Org link is followed by one in Org", function()
  linked("[[file:me.png][Me]] [[file:ID]]", "a.org", "[[file:m|e.png][Me]]")
  linked("[[./a\\]\\[b.png]] [[file:ID]]", "b.org", "[[./a\\]|\\[b.png]]")
end)
test("paths are found bare, quoted, at home, alone in a line, in a long line, and with odd characters", function()
  linked("(in me.png ![headshot](ID).)", "e.md", "(in m|e.png.)")
  linked("a 'x y' \"it's me [ü].png\" ![headshot](ID) b", "f.md", "a 'x y' \"it's m|e [ü].png\" b")
  linked("`~/me.png` ![headshot](ID)", "g.md", "`~/m|e.png`")
  linked("'(1) me.png' ![headshot](ID)", "g.md", "'(1) m|e.png'")
  linked("see (1).png ![headshot](ID) there", "g.md", "see (1|).png there")
  linked("- it's me [ü].png ![headshot](ID)", "h.md", "- it's m|e [ü].png")
  linked("![](a%0Ab.png) ![headshot](ID)", "i.md", "![](a%0|Ab.png)")
  local long = ("[( "):rep(100000)
  linked(long .. "me.png ![headshot](ID) " .. long, "l.md", long .. "me|.png " .. long)
end)
test("in a listing of a folder, the picture is the file of the line", function()
  document()
  vim.cmd("Explore " .. folder)
  vim.fn.search("one\\.png")
  vim.cmd("Atelier headshot")
  expect("In the unnamed register:  headshot-")
  check(vim.fn.getreg('"'):find("^" .. vim.pesc(folder) .. "/" .. id .. "$"), vim.fn.getreg('"'))
end)
test("a picture elsewhere is written beside the document", function()
  linked("![](" .. vim.env.PORTRAIT .. ") ![headshot](ID)", "j.md", "![](|" .. vim.env.PORTRAIT .. ")")
end)
test("a document without a file gets the path of the service's own file", function()
  vim.fn.chdir(folder .. "/sub folder")
  document(nil, "![](|" .. vim.env.PORTRAIT .. ")")
  vim.cmd("Atelier headshot")
  wait(function() return #said > 0 end, "an answer")
  check(line(0, 1):find("%) !%[headshot%]%(/.*/artifacts/.*%.jpg%)$"), line(0, 1))
end)

test("what names no picture is refused in a sentence", function()
  assert(io.open(folder .. "/\xff.png", "w")):close()
  for text, sentence in pairs({
    ["just w|ords"] = "no picture at the cursor", [""] = "no picture at the cursor",
    ["a no|ne.jpg b"] = "none.jpg” is not", ["![](no| such.png)"] = "no such.png” is not",
    ["https://|example.org/me.png"] = "not a file on this machine",
    ["text.t|xt"] = "text", ["`text.t|xt`"] = "This is a text", ["su|b folder"] = "no picture",
    ["\xff|.png"] = "not UTF-8",
  }) do
    document("k.md", text)
    vim.cmd("Atelier headshot")
    expect(sentence)
  end
  document("scp://machine/a.md", "m|e.png")
  vim.cmd("Atelier edit redder")
  expect("local files only")
  vim.cmd("Atelier fly")
  expect("no command fly")
end)

test("an edit asks what is to be changed, and says so in the link", function()
  local asked
  vim.ui.input = function(options, answer)
    asked = options.prompt
    answer("a [red]\nhat")
  end
  local buffer = document("l.md", "m|e.png")
  vim.cmd("Atelier edit")
  wait(function() return #said > 0 end, "an answer")
  check(asked == "What is to be changed? ", asked)
  check(line(buffer, 1):find("^me.png !%[a \\%[red\\%] hat%]%(edit%-gen_%w+%.%w+%)$"), line(buffer, 1))
  document("l2.md", "m|e.png")
  for _, answer in ipairs({ function(answer) answer(nil) end, function() error("Keyboard interrupt") end }) do
    vim.ui.input = function(_, answered) answer(answered) end
    vim.cmd("Atelier edit")
  end
  vim.cmd("Atelier cancel")
  check(said[1] == "Nothing is being made.", "something is being made")
end)
test("a photo that is too large is prepared first", function()
  local buffer = document("m.md", "![](w|ide.png)")
  vim.cmd("Atelier edit narrower")
  wait(function() return #said > 0 end, "an answer")
  check(line(buffer, 1):find("%(edit%-gen_"), line(buffer, 1))
end)
test("several are made at once, and the one that is chosen is cancelled", function()
  local buffer = document("n.md", "m|e.png and", "one|.png")
  vim.cmd("Atelier edit slow [[fault:hold]]")
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd("Atelier edit slower [[fault:hold]]")
  local choices
  vim.ui.select = function(items, options, choose)
    choices = vim.tbl_map(options.format_item, items)
    choose(items[2])
  end
  vim.cmd("Atelier cancel")
  expect("me.png: cancelled.")
  check(vim.deep_equal(choices, { "one.png", "me.png" }), vim.inspect(choices))
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd("Atelier headshot")
  vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { "a new first line" })
  wait(function() return line(buffer, 2):find(pattern("me.png ![headshot](ID) and")) end, "the link in its line")
  vim.cmd("Atelier! cancel")
  expect("one.png: cancelled.")
end)

test("the result goes to the register where the buffer is gone, cannot be changed, or is no document", function()
  for _, change in ipairs({ "bwipeout!", "new | bunload! #", "setlocal nomodifiable", "setlocal readonly" }) do
    document("o.md", "m|e.png")
    vim.cmd("Atelier headshot")
    vim.cmd(change)
    expect("In the unnamed register:  headshot-")
    check(vim.fn.getreg('"'):find(id), vim.fn.getreg('"'))
  end
  linked('show("me.png")', "p.py", 'show("m|e.png")')
  check(vim.fn.getreg('"'):find("^" .. vim.pesc(folder) .. "/" .. id .. "$"), vim.fn.getreg('"'))
end)

test("a list of places follows the line, in Markdown and in Org", function()
  local buffer = document("q.md", "Cof|fee:", "end")
  vim.cmd("Atelier places Top coffee shops in Austin")
  expect("places")
  local first = line(buffer, 2)
  check(first:find("^%- %[.+%]%(https://www.openstreetmap.org/%?mlat=30[%d.]*&mlon=%-97[^)]*%), .*Austin"), first)
  check(line(buffer, vim.api.nvim_buf_line_count(buffer)) == "end", "the text after it")
  buffer = document("q.org", "|")
  vim.cmd("Atelier places Top coffee shops in Austin")
  expect("places")
  check(line(buffer, 1):find("^%- %[%[https://www.openstreetmap.org/.*%]%[.+%]%], .*Austin"), line(buffer, 1))
end)

test("the history names what was made of what, and inserts and opens it", function()
  local buffer = document("r.md", "here|")
  vim.cmd("Atelier history")
  local history = vim.api.nvim_get_current_buf()
  wait(function() return vim.api.nvim_buf_line_count(history) > 10 end, "the history")
  check(vim.b.atelier_more, "there is more")
  local before = vim.api.nvim_buf_line_count(history)
  vim.cmd("normal m")
  wait(function() return vim.api.nvim_buf_line_count(history) > before and not vim.b.atelier_more end, "more of it")
  local text = table.concat(vim.api.nvim_buf_get_lines(history, 0, -1, false), "\n")
  for _, part in ipairs({
    "edit of me.png: a [red] hat\n", "headshot of a b.png: auto\n", "(cancelled)\n", "places: Top",
    "    The face is 188 pixels wide",
  }) do
    check(text:find(part, 1, true), part .. " is not in\n" .. text)
  end
  vim.fn.search("headshot of it's me")
  vim.cmd("normal i")
  check(line(buffer, 1):find(pattern("here ![headshot](ID)")), line(buffer, 1))
  local opened
  vim.ui.open = function(path) opened = path end
  vim.cmd([[execute "normal j\<CR>"]])
  check(opened and is_picture(opened), "nothing was opened")
  vim.fn.search("places: Top")
  vim.cmd("normal i")
  check(line(buffer, 2):find("^%- %[.+%]%("), line(buffer, 2))
  vim.cmd("normal qggO")
  vim.cmd("Atelier history")
  wait(function() return vim.fn.search("headshot of") > 0 end, "the history again")
  vim.cmd("normal i")
  check(line(buffer, 1):find(pattern("![headshot](ID)")), "an empty line begins with " .. line(buffer, 1))
  check(not vim.api.nvim_buf_is_valid(history), "the buffer is still there")
end)

test("progress is shown in one line, and is not a message that stays", function()
  document("s.md", "m|e.png")
  shown = {}
  vim.cmd("Atelier headshot white")
  wait(function() return #said > 0 end, "an answer")
  check(#said[1] <= vim.v.echospace, "one line")
  check(#shown > 2 and shown[#shown][1]:find("^me.png: %d+ %%  ") and not shown[1][2], vim.inspect(shown))
end)

test("a service that is killed is reported once, and replaced at the next use", function()
  document("t.md", "m|e.png")
  vim.cmd("Atelier edit slow [[fault:hold]]")
  vim.cmd("Atelier edit slow [[fault:hold]]")
  kill_service()
  expect("Atelier's service has ended.")
  check(#said == 1, "once")
  linked("me.png ![headshot](ID)", "u.md", "m|e.png")
end)
test("a service that ends early says why", function()
  kill_service()
  vim.g.atelier_command = { vim.env.ATELIER, "--nonsense" }
  document("v.md", "m|e.png")
  vim.cmd("Atelier headshot")
  expect("--nonsense")
  vim.g.atelier_command = vim.env.ATELIER
  check(#said == 1 and said[1]:find("^Atelier's service has ended.\nError: "), "once")
end)
test("the data directory is the one of the variable", function()
  kill_service()
  vim.g.atelier_data_directory = "~/elsewhere"
  document(nil, vim.env.PORTRAIT .. "|")
  vim.cmd("Atelier headshot")
  wait(function() return line(0, 1):find(folder .. "/elsewhere/artifacts/", 1, true) end, "the picture")
  vim.g.atelier_data_directory = nil
end)
test("a program that is missing is reported with what to do", function()
  kill_service()
  vim.g.atelier_command = folder .. "/nothing"
  document("w.md", "m|e.png")
  vim.cmd("Atelier headshot")
  vim.g.atelier_command = vim.env.ATELIER
  check(said[1]:find("nothing is not installed.\nInstall", 1, true), "what to do")
  vim.cmd("Atelier cancel")
  check(said[2] == "Nothing is being made.", "something is being made")
end)
test("an error is in the language of the environment, with the hint below", function()
  kill_service()
  local key, configuration = vim.env.GEMINI_API_KEY, vim.env.ATELIER_CONFIG
  vim.env.GEMINI_API_KEY, vim.env.ATELIER_CONFIG, vim.env.LC_ALL = nil, nil, "de_DE.UTF-8"
  document("x.md", "m|e.png")
  vim.cmd("Atelier edit redder")
  expect("API-Schlüssel")
  vim.env.GEMINI_API_KEY, vim.env.ATELIER_CONFIG, vim.env.LC_ALL = key, configuration, "C"
  check(said[1]:find("\n.*atelier credentials set gemini"), "the hint")
  kill_service()
end)

-- Whatever runs at the end is cancelled; test.sh looks whether the service is gone.
document("y.md", "m|e.png")
vim.cmd("Atelier edit slow [[fault:hold]]")
test("the service has a process group of its own", function()
  local pid = vim.fn.jobpid(service())
  vim.fn.writefile({ tostring(pid) }, folder .. "/pid")
  local group = vim.fn.readfile("/proc/" .. pid .. "/stat")[1]:match("%) %a %d+ (%d+)")
  check(tonumber(group) == pid, "another group")
end)
io.stdout:write(("%d passed, %d failed\n"):format(passed, failed))
vim.cmd(failed == 0 and "qall!" or "cquit!")
